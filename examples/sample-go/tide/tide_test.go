package tide

import "testing"

func TestHalfWayAtTheThirdHour(t *testing.T) {
	if got := HeightCm(100, 340, 3); got != 220 {
		t.Errorf("HeightCm: %d", got)
	}
}

func TestBeforeAndAfter(t *testing.T) {
	if HeightCm(100, 340, -1) != 100 || HeightCm(100, 340, 9) != 340 {
		t.Error("beyond the tide")
	}
}

func TestLine(t *testing.T) {
	if got := Line("青岛", 100, 340, 6); got != "青岛 +6h 340 cm" {
		t.Error(got)
	}
}
