import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { showControlCharacters } from './show-control-characters.ts';

/** A telephone number in E.164, such as +61738123456; one without a country code is Australian. Null for no number. */
export function phoneNumber(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'AU', extract: false });
  return parsed?.isValid() ? parsed.number : null;
}

/** A stored number for reading aloud, such as 0412 345 678, abroad +64 21 123 4567; any other text unchanged. */
export function shownPhone(stored: string | null): string {
  const parsed = parsePhoneNumberFromString(stored ?? '');
  if (!parsed?.isValid()) return showControlCharacters(stored ?? '');
  return parsed.countryCallingCode === '61' ? parsed.formatNational() : parsed.formatInternational();
}
