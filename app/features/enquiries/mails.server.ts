import type { Db } from '#app/db/client.server.ts';
import { contactAcknowledgement } from '#app/emails/contact-acknowledgement.ts';
import { enquiryMessage } from '#app/emails/enquiry-message.ts';
import { enrolmentAcknowledgement } from '#app/emails/enrolment-acknowledgement.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { claimAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enquiry, Recorded } from './commands.server.ts';
import { interests } from './options.ts';
import type { EnquiryKind } from './schema.ts';

const titles: Record<EnquiryKind, string> = {
  contact: 'Message',
  booking: 'Booking request',
  tour: 'Tour request',
  chat: 'Question',
  enrolment: 'Enrolment request',
};

/**
 * Queues what is mailed about a new enquiry, in the transaction that stores it: an acknowledgement to the address
 * given, and the message itself to the academy.
 */
export async function queueEnquiryMails(
  trx: Db,
  enquiry: Enquiry,
  { reference, corrects }: Recorded,
  academy: MailAcademy,
  at: Date,
): Promise<void> {
  const { kind, email, phone, message } = enquiry;
  if (await claimAcknowledgement(trx, email, at)) {
    const acknowledgement = kind === 'enrolment' ? enrolmentAcknowledgement : contactAcknowledgement;
    await queueMail(trx, {
      kind: kind === 'enrolment' ? 'enrolment-acknowledgement' : 'contact-acknowledgement',
      to: email,
      replyTo: academy.email,
      ...acknowledgement({ reference, academy }),
    });
  }
  const name = `${enquiry.firstName} ${enquiry.lastName}`;
  const props = { reference, corrects, title: titles[kind], name, email, phone, message, academy };
  await queueMail(trx, {
    kind: 'enquiry-message',
    to: academy.email,
    replyTo: email,
    ...enquiryMessage({ ...props, details: detailsOf(enquiry) }),
  });
}

/** The details in the words of the form; those that repeat others are left out. */
function detailsOf({ details, consent }: Enquiry): [name: string, value: string][] {
  const { interest, label, aboutLabel, priceCents, attendees, payer, company, day, time } = details;
  return [
    ['Asked for', String(label ?? '')],
    ['About', String(aboutLabel ?? '')],
    ['Interested in', interests.find(({ value }) => value !== '' && value === interest)?.label ?? ''],
    ['Time', day && time ? `${formatDay(String(day))}, ${time} Brisbane time` : ''],
    ['Price a person', typeof priceCents === 'number' ? `${formatMoney(priceCents)} incl. GST` : ''],
    ['People', String(attendees ?? '')],
    ['Paid by', payer === 'employer' ? String(company) : payer ? 'the person' : ''],
    ['News', consent ? 'Wants news about courses and dates' : ''],
  ];
}
