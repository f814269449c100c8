export function makeLabel(number: string, options?: { cold?: boolean }): string;
export function checkDigit(number: string): number;
