import { href, redirect } from 'react-router';
import type { Academy } from '#app/http/academy.server.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { signSenderProof } from '#app/http/sender-proof.server.ts';
import { recordConsent } from '#app/outbox/marketing.server.ts';
import { bodyHash, type Enquiry, recordEnquiry } from './commands.server.ts';
import { queueEnquiryMails } from './mails.server.ts';
import { consentWording } from './options.ts';
import { findSameBody } from './queries.server.ts';
import { enquiryForm, type FormKind, type ParseResult } from './schema.ts';
import type { Subject } from './subjects.ts';

/** Takes a form of a kind and stores it as an enquiry; what `takeVisitorForm` says of refusals holds. */
export function submitEnquiry(
  { forms, academy }: Academy,
  {
    form,
    address,
    kind,
    isOffered,
    subject = null,
    remarks: remarksOf,
  }: {
    form: FormData | null;
    address: string;
    kind: FormKind;
    isOffered: (item: string) => boolean;
    /** The subject of the page that sent it. */
    subject?: Pick<Subject, 'about' | 'label'> | null;
    /** Details that the program adds, such as the price of the moment. */
    remarks?: (details: Enquiry['details']) => Record<string, string | number>;
  },
): Promise<SubmitResult> {
  const { fields, parse } = enquiryForm(kind, { isOffered });
  return takeVisitorForm<Enquiry>(
    forms,
    { form, address },
    {
      name: kind,
      fields,
      parse(values) {
        const parsed = parse(values);
        return parsed.ok ? { ok: true, data: enquiryOf(kind, parsed.data, subject?.about) } : parsed;
      },
      async store(trx, enquiry, { idempotencyKey, at }) {
        const remarks = { ...remarksOf?.(enquiry.details), ...(subject && { aboutLabel: subject.label }) };
        const stored = await recordEnquiry(trx, enquiry, { idempotencyKey, at, remarks });
        if (!stored.repeat) {
          await queueEnquiryMails(
            trx,
            { ...enquiry, details: { ...enquiry.details, ...remarks } },
            stored,
            academy(),
            at,
          );
          if (enquiry.consent) await recordConsent(trx, { address: enquiry.email, wording: consentWording, at });
        }
        return stored;
      },
      findRepeat: (trx, enquiry, { at }) => findSameBody(trx, bodyHash(enquiry), at),
    },
  );
}

type Parsed = Extract<ParseResult, { ok: true }>['data'];

function enquiryOf(kind: FormKind, parsed: Parsed, about: string | undefined): Enquiry {
  const { firstName, lastName, email, phone, message, consent, ...own } = parsed;
  const details = { ...own, ...(about && { about }) } as Enquiry['details'];
  return { kind, firstName, lastName, email, phone, message, consent, details };
}

/** The page after a stored form: the page of its reference, with the proof that lets its sender read it. */
export function redirectToSent({ forms, clock }: Academy, reference: string): Response {
  const proof = signSenderProof(forms.secret, reference, clock.now());
  return redirect(`${href('/sent/:reference', { reference })}?proof=${proof}`, 303);
}
