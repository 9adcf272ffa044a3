import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { certificateNameDecided } from '#app/emails/study.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { twiceIsHarmless } from '#app/http/database-away.server.ts';
import { firstFaults, requiredLine } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import type { Certificate } from './certificate.ts';
import { letEmployerSee } from './employer.server.ts';
import { end, firstOf, lockIssued, withdrawCertificate } from './end-certificate.server.ts';
import type { Shows } from './facts.ts';
import { mailKeyOf, queueCertificateMail, writeCertificate } from './issue.server.ts';
import { changeOfName, tidied } from './name-rule.ts';
import { inFours } from './number.ts';

type Away = { ok: false; reason: 'unknown' | 'ended' };

/** Stores the holder's choice of what everybody who checks the number sees from now on (P65). */
async function chooseWhatShows(trx: Trx, number: string, shows: Shows): Promise<{ ok: true } | Away> {
  const found = await lockIssued(trx, number);
  if (!found.ok) return away(found);
  await trx.updateTable('certificates').set({ shows }).where('id', '=', found.certificate.id).execute();
  return { ok: true };
}

/** How many corrections of one certificate need no look by staff. */
const mostAtOnce = 3;

type Corrected =
  | { ok: true; done: 'issued-again'; number: string }
  | { ok: true; done: 'asked' }
  | { ok: false; reason: 'same' | 'no-name' | 'asked-before' };

/**
 * Corrects the name on a certificate as its holder asks: issued again at once, or kept for staff to look at (P65). The
 * caller has checked that the person is the holder.
 */
export async function correctName(trx: Trx, number: string, asked: string, moment: Moment): Promise<Corrected | Away> {
  const found = await lockIssued(trx, number);
  if (!found.ok) return away(found);
  const { certificate } = found;
  const { name: original, before } = await knownName(trx, certificate);
  const change = changeOfName({ original, now: certificate.holderName ?? '', asked });
  if (change === 'same' || change === 'no-name') return { ok: false, reason: change };
  const open = await openName(trx, certificate.id);
  if (open) return { ok: false, reason: 'asked-before' };
  if (change === 'look' || before >= mostAtOnce) {
    await trx
      .insertInto('certificate_names')
      .values({ certificate_id: certificate.id, name: tidied(asked), asked_at: moment.now })
      .execute();
    return { ok: true, done: 'asked' };
  }
  const again = await issueAgain(trx, certificate, { name: tidied(asked), actor: null }, moment);
  return { ok: true, done: 'issued-again', number: again.number };
}

/**
 * The name that staff know: of the first certificate of the row, or the last that they took; and how often it was issued
 * again since.
 */
async function knownName(
  trx: Trx,
  { id, holderName, placeId }: Certificate,
): Promise<{ name: string; before: number }> {
  const first = await firstOf(trx, id);
  const taken = await trx
    .selectFrom('certificates')
    .innerJoin('certificate_names', 'certificate_names.certificate_id', 'certificates.supersedes')
    .select('certificates.id')
    .where('place_id', '=', placeId)
    .where('certificates.id', '>', first)
    .where('taken', '=', true)
    .orderBy('certificates.id', 'desc')
    .executeTakeFirst();
  const rows = await trx
    .selectFrom('certificates')
    .select(['id', 'holder_name'])
    .where('place_id', '=', placeId)
    .where('id', '>=', taken?.id ?? first)
    .orderBy('id')
    .execute();
  return { name: rows[0]?.holder_name ?? holderName ?? '', before: rows.filter((row) => row.id <= id).length - 1 };
}

const openName = (trx: Trx, certificateId: number) =>
  trx
    .selectFrom('certificate_names')
    .select(['id', 'name'])
    .where('certificate_id', '=', certificateId)
    .where('decided_at', 'is', null)
    .executeTakeFirst();

/**
 * Staff decide about a name that a holder asked for, and its holder is told. Taken, the certificate is issued again
 * with it.
 */
export async function decideName(
  trx: Trx,
  { number, take, why = '', actor }: { number: string; take: boolean; why?: string; actor: Actor },
  moment: Moment,
): Promise<{ ok: true; number: string } | Away | { ok: false; reason: 'nothing-asked' }> {
  requirePermission(actor, 'certificates:revoke');
  const at = moment.now;
  const found = await lockIssued(trx, number);
  if (!found.ok) return away(found);
  const asked = await openName(trx, found.certificate.id);
  if (!asked?.name) return { ok: false, reason: 'nothing-asked' };
  await trx
    .updateTable('certificate_names')
    .set({ decided_at: at, decided_by: personIdOf(actor), taken: take })
    .where('id', '=', asked.id)
    .execute();
  const holds = take ? await issueAgain(trx, found.certificate, { name: asked.name, actor }, moment) : { number };
  await tellDecision(trx, found.certificate, { taken: take, why, number: holds.number }, moment);
  return { ok: true, number: holds.number };
}

/**
 * Staff corrected the name of an attendee: certificates that hold another one are issued again, and the holder is told.
 * Returns the numbers that ended.
 */
export async function correctNameOf(
  trx: Trx,
  { attendeeId, name, actor }: { attendeeId: number; name: string; actor: Actor },
  moment: Moment,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select('number')
    .where('attendee_id', '=', attendeeId)
    .where('certificates.state', '=', 'issued')
    .where('holder_name', '<>', tidied(name))
    .execute();
  if (rows.length === 0) return [];
  requirePermission(actor, 'certificates:revoke');
  const ended: string[] = [];
  for (const { number } of rows) {
    const found = await lockIssued(trx, number);
    if (!found.ok) continue;
    // A name that the holder asked for is answered by this one.
    await trx
      .updateTable('certificate_names')
      .set({ decided_at: moment.now, decided_by: personIdOf(actor), taken: false })
      .where('certificate_id', '=', found.certificate.id)
      .where('decided_at', 'is', null)
      .execute();
    const again = await issueAgain(trx, found.certificate, { name: tidied(name), actor }, moment);
    await tellDecision(trx, found.certificate, { taken: true, why: '', number: again.number }, moment);
    ended.push(number);
  }
  return ended;
}

async function tellDecision(
  trx: Trx,
  { id, placeId, facts }: Certificate,
  { taken, why, number }: { taken: boolean; why: string; number: string },
  { academy }: Moment,
): Promise<void> {
  const row = await trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select(['holder_email', 'enrolment_id', 'attendee_id'])
    .where('certificates.id', '=', id)
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  if (row.holder_email === null) return;
  const link = placeLink(row.enrolment_id, row.attendee_id);
  await queueMail(trx, {
    kind: 'certificate-name-decided',
    about: { kind: 'enrolment', id: row.enrolment_id },
    to: row.holder_email,
    replyTo: academy.email,
    links: [link],
    ...certificateNameDecided({
      title: facts.course.title,
      number: inFours(number),
      taken,
      why,
      link: placeholderOf(link),
      academy,
    }),
  });
}

/**
 * Issues a certificate again under another name, with the facts of the first one; the page of the old number says so. A
 * holder whose mail has not gone out yet gets it with the new number.
 */
async function issueAgain(
  trx: Trx,
  certificate: Certificate,
  { name, actor }: { name: string; actor: Actor | null },
  moment: Moment,
): Promise<{ number: string }> {
  const at = moment.now;
  const { holder_email, ...place } = await trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select(['holder_email', 'enrolment_id', 'attendee_id'])
    .where('certificates.id', '=', certificate.id)
    .executeTakeFirstOrThrow();
  await end(trx, certificate, { state: 'superseded', actor, at });
  const written = await writeCertificate(trx, {
    place_id: certificate.placeId,
    facts: JSON.stringify(certificate.facts),
    holder_name: name,
    holder_email,
    issued_at: at,
    issued_by: actor && personIdOf(actor),
    shows: certificate.shows,
    supersedes: certificate.id,
  });
  const waited = await withdrawMail(trx, mailKeyOf(certificate.id), at, 'The certificate was issued again.');
  if (waited && holder_email !== null) {
    const told = { ...place, ...written, email: holder_email, facts: certificate.facts };
    await queueCertificateMail(trx, told, moment);
  }
  return written;
}

const away = ({ reason }: { reason: 'unknown' | 'ended' | 'too-late' }): Away => ({
  ok: false,
  reason: reason === 'unknown' ? 'unknown' : 'ended',
});

const schema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('show'), shows: z.enum(['valid', 'name'], 'Choose what people see.') }),
  z.object({ act: z.literal('employer'), sees: z.enum(['yes', 'no']) }),
  z.object({ act: z.literal('name'), name: requiredLine('the name as it should read', 80) }),
  z.object({
    act: z.literal('withdraw'),
    sure: z.literal('on', 'Tick the box if you want to withdraw it.'),
  }),
]);

type Asked = {
  form: FormData | null;
  /** Reads, in the transaction, the number of a certificate that belongs to the holder; null when there is none. */
  numberOf(trx: Trx): Promise<string | null>;
};

/** The result for the page. */
export type HolderDid = 'shown' | 'issued-again' | 'asked' | 'withdrawn';

/** Takes a form of the holder's page. Sending one again does no harm. */
export function takeHolderForm(
  academy: Academy,
  { form, numberOf }: Asked,
): Promise<{ ok: true; did: HolderDid } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const parsed = schema.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const asked = parsed.data;
    const moment = momentOf(academy);
    const result = await academy.db.transaction().execute(async (trx) => {
      const number = await numberOf(trx);
      if (number === null) return { ok: false, reason: 'unknown' } as const;
      switch (asked.act) {
        case 'show': {
          const done = await chooseWhatShows(trx, number, asked.shows);
          return done.ok ? ({ ok: true, did: 'shown' } as const) : done;
        }
        case 'employer':
          await letEmployerSee(trx, { number, sees: asked.sees === 'yes', at: moment.now });
          return { ok: true, did: 'shown' } as const;
        case 'name': {
          const done = await correctName(trx, number, asked.name, moment);
          return done.ok ? ({ ok: true, did: done.done } as const) : done;
        }
        case 'withdraw': {
          const done = await withdrawCertificate(trx, number, moment.now);
          return done.ok ? ({ ok: true, did: 'withdrawn' } as const) : done;
        }
      }
    });
    if (result.ok) return result;
    if (result.reason === 'unknown') return refuse(404, {});
    if (result.reason === 'no-name' || result.reason === 'same') {
      return refuse(409, { errors: { name: whyNot[result.reason] } });
    }
    return refuse(409, result.reason === 'asked-before' ? whyNot['asked-before'] : whyNot.ended);
  });
}

const whyNot = {
  same: 'The certificate reads like this already.',
  'no-name': 'Enter a name in letters, at most 80 of them.',
  'asked-before': 'You have asked for another name already. We will answer by email.',
  ended: 'This certificate is no longer valid, so it cannot be changed.',
};

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('that this was saved', twiceIsHarmless),
  busy: 'Many people are here at the moment, so this was not saved yet. Please send it again in a few seconds.',
};
