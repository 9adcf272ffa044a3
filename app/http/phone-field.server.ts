import { z } from 'zod';
import { phoneNumber } from '#app/lib/phone-number.server.ts';
import { optionalLine } from './form-texts.ts';

/** A telephone number as it was typed, or empty: staff look for it as they wrote it. */
export const typedPhone = optionalLine(40).pipe(
  z.string().refine((text) => text === '' || phoneNumber(text) !== null, {
    error: 'Enter a phone number with its area code, or leave this empty.',
  }),
);

/** A telephone number in E.164, or empty. */
export const optionalPhone = typedPhone.transform((text) => phoneNumber(text) ?? '');
