/** Text of an error or of another program as a column takes it: PostgreSQL refuses NUL, and an answer may be very long. */
export const fittingText = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most);
