import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type Forms, type SubmitResult, takeForm } from '#app/http/forms.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import { bodyHash, type Enquiry, recordEnquiry } from './commands.server.ts';
import { findSameBody } from './queries.server.ts';
import { type EnquiryKind, enquiryForm, type ParseResult } from './schema.ts';

/** What the enquiries' pages need of the process. */
export type Enquiries = { db: Db; clock: Clock; forms: Forms };
export const enquiriesContext = createContext<Enquiries>();
/** The address a request came from, as far as it can be trusted. */
export const clientAddressContext = createContext<string>();

/** Takes a form of a kind and stores it as an enquiry; what `takeForm` says of refusals holds. */
export function submitEnquiry(
  { forms, clock }: Enquiries,
  {
    form,
    address,
    kind,
    isOffered,
    remarks,
  }: {
    form: FormData | null;
    address: string;
    kind: EnquiryKind;
    isOffered: (item: string) => boolean;
    /** What the program adds to the details, such as the price of the moment. */
    remarks?: (details: Enquiry['details']) => Record<string, string | number>;
  },
): Promise<SubmitResult> {
  const { fields, parse } = enquiryForm(kind, { today: academyToday(clock), isOffered });
  return takeForm<Enquiry>(
    forms,
    { form, address },
    {
      name: kind,
      fields,
      parse(values) {
        const parsed = parse(values);
        return parsed.ok ? { ok: true, data: enquiryOf(kind, parsed.data) } : parsed;
      },
      store: (trx, enquiry, { idempotencyKey, at }) =>
        recordEnquiry(trx, enquiry, { idempotencyKey, at, remarks: remarks?.(enquiry.details) }),
      findRepeat: (trx, enquiry, { at }) => findSameBody(trx, bodyHash(enquiry), at),
    },
  );
}

type Parsed = Extract<ParseResult, { ok: true }>['data'];

function enquiryOf(kind: EnquiryKind, parsed: Parsed): Enquiry {
  const { firstName, lastName, email, phone, message, consent, ...details } = parsed;
  return { kind, firstName, lastName, email, phone, message, consent, details: details as Enquiry['details'] };
}
