import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { enrolmentLinks } from '#app/emails/enrolment-links.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Academy } from '#app/http/academy.server.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import { emailField, firstFaults } from '#app/http/form-texts.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { enrolmentLink, placeLink } from './links.server.ts';

/** The newest enrolments of an address that one mail lists. */
const mostListed = 20;

const schema = z.object({ email: emailField });

/**
 * Sends an address the private links of what was bought or is attended under it (P32). The answer is the same whether
 * there is anything or not, so that nobody learns who is enrolled.
 */
export function submitLinks(
  { forms, academy }: Academy,
  request: { form: FormData | null; address: string },
): Promise<SubmitResult> {
  return takeVisitorForm<z.infer<typeof schema>>(forms, request, {
    name: 'enrolment-links',
    fields: ['email'],
    parse(values) {
      const parsed = schema.safeParse(values);
      return parsed.success ? { ok: true, data: parsed.data } : { ok: false, errors: firstFaults(parsed.error) };
    },
    async store(trx, { email }, { at }) {
      const asked = { limit: forms.limit, kind: 'enrolment-links', to: email, from: request.address } as const;
      const room = await askForMail(trx, asked, at);
      if (!room.ok) return { errors: { email: tooMany(room.waitMs) } };
      await room.count();
      await queueLinks(trx, email, academy());
      return { reference: '', repeat: false };
    },
    findRepeat: async () => null,
  });
}

const tooMany = (waitMs: number) =>
  `We sent no links, because they were asked for often from your network. Use an earlier email, or ask again in ${waitText(waitMs)} or on another connection.`;

/**
 * What the person of this very address bought and attends. Another spelling that only some mail servers deliver to the
 * same mailbox may be somebody else's, who would get these links (P50).
 */
async function queueLinks(trx: Db, typed: string, academy: MailAcademy): Promise<void> {
  const email = typed.toLowerCase();
  const person = trx.selectFrom('person_emails').select('person_id').where('email', '=', email);
  const bought = await trx
    .selectFrom('enrolments')
    .select(['id', 'reference', 'title'])
    .where('person_id', '=', person)
    .orderBy('id', 'desc')
    .limit(mostListed)
    .execute();
  const attended = await trx
    .selectFrom('attendees')
    .innerJoin('enrolments', 'enrolments.id', 'attendees.enrolment_id')
    .select(['attendees.id as attendeeId', 'enrolments.id', 'reference', 'title'])
    .where('attendees.person_id', '=', person)
    .orderBy('attendees.id', 'desc')
    .limit(mostListed)
    .execute();
  if (bought.length + attended.length === 0) return;
  const links = [];
  for (const { id, reference, title } of bought) {
    links.push({ reference, title, name: enrolmentLink(id), whose: 'buyer' as const });
  }
  for (const { id, attendeeId, reference, title } of attended) {
    links.push({ reference, title, name: placeLink(id, attendeeId), whose: 'attendee' as const });
  }
  await queueMail(trx, {
    kind: 'enrolment-links',
    // It may list several enrolments; staff find the mail by the links in it.
    about: 'nothing',
    to: email,
    replyTo: academy.email,
    links: links.map(({ name }) => name),
    ...enrolmentLinks({ links: links.map(({ name, ...link }) => ({ ...link, href: placeholderOf(name) })), academy }),
  });
}
