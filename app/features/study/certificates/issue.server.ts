import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Certificates } from '#app/db/schema.ts';
import { certificateIssued } from '#app/emails/study.ts';
import { tierOf } from '#app/features/catalogue/rules.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { completionOf } from '#app/features/study/completion.server.ts';
import type { AskedWork } from '#app/features/study/work.server.ts';
import { placeFinished } from '#app/features/study/xp.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { referenceAlphabet } from '#app/lib/reference-alphabet.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { isIconName } from '#app/ui/icons.ts';
import { nextSplit, type Split, splitOf, splits } from '#app/ui/treasure-art.ts';
import { type CertificateFacts, heldInWords, notShownBy } from './facts.ts';
import { changeOfName, tidied } from './name-rule.ts';
import { checkCharacterOf, drawnLength, inFours } from './number.ts';

/** How long a certificate can be undone without a trace (P64). */
export const undoMs = 15 * 60 * 1000;
/** The mail goes out a minute later, so that none is under way while it can still be undone. */
const mailAfterSeconds = 16 * 60;

type Issued = {
  ok: true;
  id: number;
  number: string;
  /** It had been issued before; nothing was written. */
  already: boolean;
};
export type NotIssued = { ok: false; why: readonly string[] };

/**
 * Issues the certificate of a place, once however often and by how many it is asked for. The mail to its holder is due
 * after the time in which it can be undone. Refused in sentences when the place does not have what it takes, and when
 * it asks for work (P61) that nobody has accepted, before or now.
 */
export async function issueCertificate(
  trx: Trx,
  { placeId, workAccepted, actor }: { placeId: number; workAccepted: boolean; actor: Actor },
  moment: Moment,
): Promise<Issued | NotIssued> {
  requirePermission(actor, 'certificates:issue');
  const place = await lockPlace(trx, placeId);
  const known = await trx
    .selectFrom('certificates')
    .select(['id', 'number'])
    .where('place_id', '=', placeId)
    .where('state', '=', 'issued')
    .executeTakeFirst();
  if (known) return { ok: true, ...known, already: true };
  const assessed = await assess(trx, placeId, moment);
  if (!assessed.ok) return { ok: false, why: assessed.why };
  const { name, email, work } = assessed;
  if (work !== null && work.acceptedAt === null && !workAccepted) return { ok: false, why: [notConfirmed] };
  const facts: CertificateFacts = { ...assessed.facts, ...(work !== null && { workAccepted: true }) };
  const written = await writeCertificate(trx, {
    place_id: placeId,
    facts: JSON.stringify(facts),
    holder_name: name,
    holder_email: email,
    issued_at: moment.now,
    issued_by: personIdOf(actor),
  });
  await placeFinished(trx, placeId, { certificateId: written.id, at: moment.now });
  if (email) await queueCertificateMail(trx, { ...place, ...written, email, facts }, moment);
  return { ok: true, ...written, already: false };
}

const notConfirmed = 'Confirm that the work was accepted that the course asks for.';

/**
 * Locks a place, so that changes of its certificates happen one after the other. Throws when there is no such place.
 */
export const lockPlace = (trx: Trx, placeId: number): Promise<{ enrolment_id: number; attendee_id: number }> =>
  trx
    .selectFrom('places')
    .select(['enrolment_id', 'attendee_id'])
    .where('id', '=', placeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

type Row = {
  place_id: number;
  facts: string;
  holder_name: string;
  holder_email: string | null;
  issued_at: Date;
  issued_by: number | null;
  shows?: Selectable<Certificates>['shows'];
  supersedes?: number;
};

/** Writes a certificate under a new number. */
export async function writeCertificate(trx: Trx, row: Row): Promise<{ id: number; number: string }> {
  for (;;) {
    const written = await trx
      .insertInto('certificates')
      .values({ ...row, number: newNumber() })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning(['id', 'number'])
      .executeTakeFirst();
    if (written) return written;
  }
}

type Told = {
  id: number;
  number: string;
  enrolment_id: number;
  attendee_id: number;
  email: string;
  facts: CertificateFacts;
};

/** The key by which the mail is withdrawn. */
export const mailKeyOf = (certificateId: number): string => `certificate:${certificateId}`;

/** Mails a certificate to its holder, once it can no longer be undone. */
export async function queueCertificateMail(trx: Trx, told: Told, { academy }: Moment): Promise<void> {
  const { id, number, enrolment_id, attendee_id, email, facts } = told;
  const link = placeLink(enrolment_id, attendee_id);
  await queueMail(trx, {
    kind: 'certificate-issued',
    about: { kind: 'enrolment', id: enrolment_id },
    to: email,
    replyTo: academy.email,
    links: [link],
    dedupeKey: mailKeyOf(id),
    afterSeconds: mailAfterSeconds,
    ...certificateIssued({
      title: facts.course.title,
      held: heldInWords(facts),
      number: inFours(number),
      link: placeholderOf(link),
      academy,
    }),
  });
}

/** Whether a place can be given a certificate, with everything it would say, or why not in sentences (P64). */
export type Assessment =
  | {
      ok: true;
      name: string;
      email: string | null;
      facts: CertificateFacts;
      /**
       * Null where the course asks for no work. Work that is not accepted yet has to be confirmed by the person who
       * issues.
       */
      work: AskedWork | null;
      remark: string | null;
    }
  | { ok: false; why: readonly string[]; work: AskedWork | null; remark: string | null };

/** Whether a place can get a certificate now. Unpaid money does not prevent it. Throws when there is no such place. */
export async function assess(trx: Db, placeId: number, { academy, today }: Moment): Promise<Assessment> {
  const row = await trx
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .innerJoin('categories', 'categories.slug', 'courses.category_slug')
    .select(['attendees.id as attendee_id', 'attendees.name', 'attendees.email', 'attendees.person_id'])
    .select(['courses.slug', 'courses.title', 'courses.level', 'courses.hours', 'courses.description', 'courses.exams'])
    .select('categories.icon')
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  const { met, rule, work, facts, missing } = await completionOf(trx, placeId, { today });
  const name = tidied(row.name ?? '');
  const remark = await renamedSince(trx, { placeId, attendeeId: row.attendee_id, name });
  if (!met || !name)
    return { ok: false, why: [...(name ? [] : ['The attendee is not named.']), ...missing], work, remark };
  const { minutesTaught, minutesAttended, exercises, exercisesAccepted } = facts;
  const icon = isIconName(row.icon) ? row.icon : 'shield';
  const tier = tierOf[row.level];
  const taken = await takenSplits(trx, row.person_id, { icon, tier });
  return {
    ok: true,
    name,
    email: row.email,
    work,
    remark,
    facts: {
      course: {
        title: row.title,
        slug: row.slug,
        level: row.level,
        description: row.description,
        hours: row.hours,
      },
      firstDay: facts.firstDay,
      lastDay: facts.lastDay,
      instructor: facts.instructor,
      rule,
      met: { minutesTaught, minutesAttended, exercises, exercisesAccepted },
      notShown: notShownBy(await examsOf(trx, row.exams)),
      recognition: `This certificate is the academy’s own and not that of an exam body. ${recognitionOf(academy)}`,
      treasure: { icon, tier, split: freeSplit(splitOf(row.slug), taken) },
      issuer: { name: academy.name, company: academy.company.replaceAll('\u00a0', ' ') },
    },
  };
}

/**
 * A note for staff about a name that was changed after the first mark or answer (P64): the instructor knows who was
 * there. Small corrections are not mentioned (P65).
 */
async function renamedSince(
  trx: Db,
  { placeId, attendeeId, name }: { placeId: number; attendeeId: number; name: string },
): Promise<string | null> {
  const { rows } = await sql<{ name: string; at: Date }>`
    select name_before as name, at from corrections
    where attendee_id = ${attendeeId} and name_before is not null and 'name' = any(fields)
      and at > (select min(at) from (
        select tapped_at from attendance_marks where place_id = ${placeId}
        union all select handed_in_at from exercise_answers where place_id = ${placeId}) as done (at))
    order by id limit 1`.execute(trx);
  const [first] = rows;
  if (!first || changeOfName({ original: first.name, now: first.name, asked: name }) !== 'look') return null;
  const day = formatDay(academyDay(first.at));
  return `The name was ${tidied(first.name)} until ${day}, after the first class or exercise. Is it the same person?`;
}

async function examsOf(trx: Db, codes: readonly string[]): Promise<{ code: string; body: string }[]> {
  if (codes.length === 0) return [];
  const { exams } = await readDocuments(trx, ['exams']);
  return exams.filter(({ code }) => codes.includes(code));
}

/** The splits that a person's treasures of one shape and metal have, so that no two in one bower look the same (P63). */
async function takenSplits(
  trx: Db,
  personId: number | null,
  { icon, tier }: Pick<CertificateFacts['treasure'], 'icon' | 'tier'>,
): Promise<ReadonlySet<Split>> {
  if (personId === null) return new Set();
  const rows = await trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('facts')
    .where('attendees.person_id', '=', personId)
    .where('certificates.state', '=', 'issued')
    .execute();
  const treasures = rows.map(({ facts }) => (facts as unknown as CertificateFacts).treasure);
  return new Set(treasures.filter((one) => one.icon === icon && one.tier === tier).map(({ split }) => split));
}

/** The split wished for, or the next one that is not taken; the wished one when all are. */
function freeSplit(wished: Split, taken: ReadonlySet<Split>): Split {
  let split = wished;
  for (let tried = 0; tried < splits.length && taken.has(split); tried += 1) split = nextSplit(split);
  return split;
}

/** A certificate's number: twelve characters drawn at random, 60 bits, and a check character (P64). Stored without spaces. */
export function newNumber(): string {
  const drawn = Array.from({ length: drawnLength }, () => referenceAlphabet[randomInt(referenceAlphabet.length)]).join(
    '',
  );
  return drawn + checkCharacterOf(drawn);
}
