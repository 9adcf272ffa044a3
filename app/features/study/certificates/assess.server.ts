import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { tierOf } from '#app/features/catalogue/rules.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { completionOf } from '#app/features/study/completion.server.ts';
import type { AskedWork } from '#app/features/study/work.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { isIconName } from '#app/ui/icons.ts';
import { nextSplit, type Split, splitOf, splits } from '#app/ui/treasure-art.ts';
import { type CertificateFacts, notShownBy } from './facts.ts';
import { changeOfName, tidied } from './name-rule.ts';

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

/**
 * Whether a place can get a certificate now. Unpaid money does not stand in the way. Throws when there is no such
 * place.
 */
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
 * What staff should know of a name that was changed after the first mark or answer (P64): the instructor knows who was
 * there, and small corrections are no news (P65).
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

/** The splits of treasures of one shape and metal that a person has, so that no two in one bower are groupByDate (P63). */
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
