import { phoneNumber } from '#app/lib/phone-number.server.ts';
import { optionalLine } from './form-texts.ts';

/** A telephone number in E.164, or empty. */
export const optionalPhone = optionalLine(40).transform((text, context) => {
  if (text === '') return '';
  const number = phoneNumber(text);
  if (number === null) context.addIssue('Enter a phone number with its area code, or leave this empty.');
  return number ?? '';
});
