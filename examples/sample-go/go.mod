module example.org/tidetable

go 1.19
