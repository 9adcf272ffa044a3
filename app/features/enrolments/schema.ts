import { z } from 'zod';
import { optionalEmail, optionalLine } from '#app/http/form-texts.ts';
import { abnDigits, isAbn } from '#app/lib/abn.ts';

/** Letters in the name of a person. */
export const longestName = 160;

/** Rules over several fields are asked also when a field has a fault: all faults of a page are shown at once. */
export const always = () => true;

const orNull = (max: number) => optionalLine(max).transform((text) => text || null);
const emailOrNull = optionalEmail('Enter an email address such as name@example.com, or leave this empty.').transform(
  (text) => text || null,
);

/** The form of an attendee for buyers and staff; empty fields are null. */
export const attendeeFields = {
  name: orNull(longestName),
  email: emailOrNull,
  needs: orNull(500),
  under18: z
    .string()
    .optional()
    .transform((text) => text === 'on'),
  guardianName: orNull(longestName),
  guardianEmail: emailOrNull,
};

/** Somebody under 18 has a guardian (P28). */
export const hasGuardian = ({ under18, guardianName }: { under18: boolean; guardianName: string | null }) =>
  !under18 || guardianName !== null;

/** The form of the payer for buyers and staff; empty fields are null. */
export const payerFields = {
  address: orNull(300),
  organisation: orNull(120),
  abn: optionalLine(40).transform((text) => abnDigits(text) || null),
  purchaseOrder: orNull(60),
  accountsEmail: emailOrNull,
};

/** Details that only the tax invoice of an organisation shows. */
type OrganisationDetails = Record<'organisation' | 'abn' | 'purchaseOrder' | 'accountsEmail', string | null>;
export const hasOrganisation = ({ organisation, abn, purchaseOrder, accountsEmail }: OrganisationDetails): boolean =>
  Boolean(organisation) || !(abn || purchaseOrder || accountsEmail);

export const isAbnOrNull = (abn: string | null): boolean => abn === null || isAbn(abn);
