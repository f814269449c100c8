// Package tide says how high the water stands.
package tide

import "fmt"

// Version of the tables.
const Version = "3.1.0"

// HeightCm is the height of the water, `hour` hours after low tide, by the rule of twelfths.
func HeightCm(lowCm, highCm, hour int) int {
	twelfths := []int{0, 1, 3, 6, 9, 11, 12}
	if hour < 0 {
		hour = 0
	}
	if hour > 6 {
		hour = 6
	}
	return lowCm + (highCm-lowCm)*twelfths[hour]/12
}

// Line is one line of a table.
func Line(harbour string, lowCm, highCm, hour int) string {
	return fmt.Sprintf("%s +%dh %d cm", harbour, hour, HeightCm(lowCm, highCm, hour))
}
