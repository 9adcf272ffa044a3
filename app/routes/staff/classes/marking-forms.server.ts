import { randomUUID } from 'node:crypto';
import { href } from 'react-router';
import { z } from 'zod';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { findCourseDateId } from '#app/features/course-dates/queries.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { type ClassDay, readClassDay } from '#app/features/study/classes.server.ts';
import { type MarkWish, markDay, type NotMarked } from '#app/features/study/marking.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { formTrouble } from '#app/http/database-away.server.ts';
import { optionalLine, textsOf } from '#app/http/form-texts.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { isChanged, markAsText, markInWords, sentMark } from './mark-texts.ts';

const dayField = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const form = z.looseObject({
  ...common,
  act: z.enum(['save', 'all', 'details']),
  day: dayField,
  reason: optionalLine(500),
});
type Form = z.output<typeof form>;
type Asked = { form: FormData | null; slug: string; actor: StaffActor };

/** Takes a form of a class and answers it: leads back to the day of the class, or shows the form again. */
export async function answerClassForm(academy: Academy, asked: Asked) {
  const { form: sent, slug } = asked;
  const day = encodeURIComponent(String(sent?.get('day') ?? ''));
  return answerForm(await takeClassForm(academy, asked), `${href('/staff/classes/:slug', { slug })}?day=${day}`);
}

/** Its switches, "All others here", or who came late or left early. It is one transaction. */
function takeClassForm(academy: Academy, { form: sent, slug, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form: sent,
    schema: form,
    subject: `class:${slug}`,
    actor,
    compares: false,
    async act(trx, data, { now, today }): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const found = await readClassDay(trx, actor, { slug, day: data.day, today, now });
      if (!found || found.day !== data.day) return { ok: false, reason: 'missing' };
      const errors: Record<string, string> = {};
      for (const person of found.people) {
        const wish = wishOf(data, person);
        if (!wish) continue;
        if (wish === 'marked-since') {
          errors[`late-${person.placeId}`] = markedSince(person);
          continue;
        }
        const mark = { ...wish, placeId: person.placeId, courseDateId: found.courseDate.id, day: found.day };
        const result = await markDay(
          trx,
          { ...mark, key: randomUUID(), tap: null, reason: data.reason },
          { actor, now },
        );
        if (result.ok) continue;
        if (result.reason === 'no-reason') errors.reason = 'Enter why: the course is over.';
        else errors[`late-${person.placeId}`] = `${person.name}: ${whyNot(result.reason, found.day)}`;
      }
      return Object.keys(errors).length > 0 ? { ok: false, reason: 'refused', errors } : { ok: true, did: null };
    },
  });
}

type Wish = Pick<MarkWish, 'mark' | 'minutesLate' | 'minutesLeftEarly'>;

/** The changed mark of a person in the form; null when nothing is changed. Others may have marked people since. */
function wishOf(data: Form, person: ClassDay['people'][number]): Wish | 'marked-since' | null {
  const { placeId, mark } = person;
  const field = (name: string) => String(data[`${name}-${placeId}`] ?? '');
  const plain = { minutesLate: 0, minutesLeftEarly: 0 };
  if (data.act === 'all') return mark === null ? { mark: 'present', ...plain } : null;
  if (data.act === 'save') {
    const [was, is] = [field('was') === 'here', field('here') !== ''];
    if (was === is) return null;
    return { mark: is ? 'present' : 'absent', ...plain };
  }
  const wish = sentMark(data, placeId);
  if (!wish || !isChanged(data, placeId) || markAsText(wish) === markAsText(person)) return null;
  return field('was') === markAsText(person) ? wish : 'marked-since';
}

const markedSince = (person: ClassDay['people'][number]) =>
  `${person.name}: somebody saved "${markInWords(person) || 'Not marked'}" after you opened this page. Save again to replace it with your mark.`;

function whyNot(reason: NotMarked['reason'], day: string): string {
  const words: Record<NotMarked['reason'], string> = {
    'not-in-class':
      'was not marked: this person is no longer in the class, or another instructor has it now. Tell the office what you saw.',
    'no-such-day': `${formatDay(day)} is no day of this class.`,
    'not-yet': `${formatDay(day)} has not come.`,
    'too-many-minutes': 'enter the minutes missed as a number, together at most the length of the day.',
    over: 'the course is over. The office can correct the mark.',
    'no-reason': 'the course is over, so a reason is needed.',
  };
  return words[reason];
}

const taps = z.object({
  sentMs: z.number(),
  taps: z
    .array(
      z.object({
        key: z.uuid(),
        slug: z.string().max(200),
        placeId: z.int().positive(),
        day: dayField,
        mark: z.enum(['present', 'absent']),
        tappedMs: z.number(),
        onlyUnmarked: z.boolean().optional(),
      }),
    )
    .max(200),
});

export type TapsTaken =
  | { ok: true; results: Record<string, string | null> }
  | { ok: false; status: 400 | 503; why: string };

// Read by no person on the page of a class, which keeps the taps and sends them again.
const away = 'Our system is not available. Please send the marks again in a few minutes.';
const busy = 'Many people are here at the moment. Please send the marks again in a few seconds.';

/**
 * Takes taps that a device kept, each in a transaction of its own: null for a tap that is recorded, otherwise why not.
 */
export async function takeTaps(academy: Academy, { form: sent, actor }: Omit<Asked, 'slug'>): Promise<TapsTaken> {
  const parsed = taps.safeParse(jsonIn(textsOf(sent).taps));
  if (!parsed.success) return { ok: false, status: 400, why: 'The taps could not be read.' };
  const { sentMs } = parsed.data;
  const results: Record<string, string | null> = {};
  for (const { slug, tappedMs, ...tap } of parsed.data.taps) {
    try {
      const result = await academy.db.transaction().execute(async (trx) => {
        const courseDateId = (await findCourseDateId(trx, slug)) ?? 0;
        const wish = {
          ...tap,
          courseDateId,
          minutesLate: 0,
          minutesLeftEarly: 0,
          reason: '',
          tap: { tappedMs, sentMs },
        };
        return markDay(trx, wish, { actor, now: academy.clock.now() });
      });
      results[tap.key] = result.ok ? null : whyNot(result.reason, tap.day);
    } catch (error) {
      if (isConnectionFailure(error)) {
        // A tap that was taken before is recognised by its key when it is sent again.
        const { fault } = formTrouble(error, { away, busy, notSaved: away, notStored: 'Not sent yet' }, false);
        return { ok: false, status: 503, why: fault ?? away };
      }
      // A tap at which the program fails stops no other: the person who tapped reads it, and marks again.
      academy.forms.log.error({ err: error, placeId: tap.placeId }, 'a tap of attendance failed');
      results[tap.key] = 'was not marked, because of a fault of ours. Please mark this person again on this page.';
    }
  }
  return { ok: true, results };
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
