import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** A telephone number in E.164, such as +61738123456; one without a country code is Australian. Null for no number. */
export function phoneNumber(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'AU', extract: false });
  return parsed?.isValid() ? parsed.number : null;
}
