import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { showControlCharacters } from './show-control-characters.ts';

/**
 * A telephone number in E.164, with an extension as in addresses: +61738123456, +61738123456;ext=12. One without a
 * country code is Australian. Null for no number.
 */
export function phoneNumber(text: string): string | null {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'AU', extract: false });
  if (!parsed?.isValid()) return null;
  return parsed.ext ? `${parsed.number};ext=${parsed.ext}` : parsed.number;
}

/** A stored number for reading aloud, such as 0412 345 678, abroad +64 21 123 4567; any other text unchanged. */
export function shownPhone(stored: string | null): string {
  const parsed = parsePhoneNumberFromString(stored ?? '');
  if (!parsed?.isValid()) return showControlCharacters(stored ?? '');
  return parsed.countryCallingCode === '61' ? parsed.formatNational() : parsed.formatInternational();
}
