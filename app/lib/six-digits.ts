/** The code of six digits in what somebody pasted, such as `Your code: 123 456`; null without one. */
export function sixDigits(pasted: string): string | null {
  const digits = pasted.normalize('NFKC').replaceAll(/\D/g, '');
  return digits.length === 6 ? digits : null;
}
