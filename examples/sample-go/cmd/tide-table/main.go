package main

import (
	"fmt"

	"example.org/tidetable/tide"
)

func main() {
	for hour := 0; hour <= 6; hour++ {
		fmt.Println(tide.Line("Brest", 120, 700, hour))
	}
	fmt.Println("highest:", tide.HeightCm(120, 700, 6), "cm")
}
