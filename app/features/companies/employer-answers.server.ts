import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { courseFollowUp } from '#app/emails/course-dates.ts';
import { employerAnswered } from '#app/emails/employer-requests.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { busyText } from '#app/http/database-away.server.ts';
import { optionalTextWithin } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { findTarget } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { offerLink, requestLink } from './links.server.ts';
import type { Offer } from './offer.ts';
import { findRequest, readOffer } from './queries.server.ts';

/** Tells whoever asked their employer what it asked or that it declined (P113); nobody for other offers. */
export async function tellOfAnswer(
  trx: Trx,
  offer: Offer,
  { answer, words }: { answer: 'asked' | 'declined'; words: string | null },
  { academy }: Moment,
): Promise<void> {
  const request = await findRequest(trx, offer.id);
  if (!request || offer.facts === null) return;
  const link = requestLink(request.id);
  await queueMail(trx, {
    kind: 'employer-answered',
    about: { kind: 'offer', id: offer.id },
    links: [link],
    to: request.email,
    replyTo: answer === 'asked' ? offer.email : academy.email,
    ...employerAnswered({
      title: offer.facts.title,
      approver: offer.name,
      answer,
      words,
      link: placeholderOf(link),
      academy,
    }),
  });
}

/** Keeps the question of an employer for the page of whoever asked, and mails it to them. */
export async function passQuestion(trx: Trx, offer: Offer, question: string, moment: Moment): Promise<void> {
  await trx.updateTable('employer_requests').set({ question }).where('offer_id', '=', offer.id).execute();
  await tellOfAnswer(trx, offer, { answer: 'asked', words: question }, moment);
}

/** Both are asked what came of a course so many days after its last one. */
const followUpDays = 30;

/**
 * Sends both their three lines with one question each, thirty days after the last day of what was bought, or after the
 * access to guided study (P113). What was cancelled, or still waits for a date, is not asked about. Returns how many.
 */
export async function followUpRequests(db: Db, { now, today, academy }: Moment): Promise<number> {
  const items = await db
    .selectFrom('employer_requests')
    .innerJoin('offers', 'offers.id', 'offer_id')
    .select(['employer_requests.id', 'offers.id as offerId'])
    .where('followed_up_at', 'is', null)
    .where('offers.state', '=', 'accepted')
    .where(
      sql<boolean>`(select max(coalesce(course_dates.ends_on, places.guided_from + interval '1 year', 'infinity'))
        from places left join course_dates on course_dates.id = places.course_date_id
        where places.enrolment_id = offers.enrolment_id and places.state <> 'cancelled') <= ${addDays(today, -followUpDays)}::date`,
    )
    .orderBy('employer_requests.id')
    .execute();
  const keyOf = ({ id }: { id: number }) => `employer-request:${id}`;
  return eachItem(db, { job: 'follow up on requests', items, keyOf, at: now }, async (trx, { id, offerId }) => {
    const request = await trx
      .updateTable('employer_requests')
      .set({ followed_up_at: now })
      .where('id', '=', id)
      .where('followed_up_at', 'is', null)
      .returning(['name', 'email'])
      .executeTakeFirst();
    const offer = await readOffer(trx, offerId);
    if (!request || !offer?.facts) return false;
    const lines = (offer.words ?? '').split('\n').slice(1);
    const shared = { title: offer.facts.title, asker: request.name, lines, academy };
    for (const { to, email, link } of [
      { to: 'asker', email: request.email, link: requestLink(id) },
      { to: 'employer', email: offer.email, link: offerLink(offerId) },
    ] as const) {
      await queueMail(trx, {
        kind: 'course-follow-up',
        about: { kind: 'offer', id: offerId },
        links: [link],
        to: email,
        replyTo: academy.email,
        ...courseFollowUp({ ...shared, to, link: placeholderOf(link) }),
      });
    }
    return true;
  });
}

/** Stores what one of the two writes about it; the last words count. The link says who writes. */
export function answerFollowUp(
  academy: Academy,
  { token, form }: { token: string; form: FormData | null },
): Promise<{ ok: true } | Refusal> {
  return takeForm<{ ok: true }>({ form, fresh: blankForm(), words }, async (values, refuse) => {
    const answer = optionalTextWithin(1000).safeParse(values.answer ?? '');
    if (!answer.success) return refuse(400, { errors: { answer: answer.error.issues[0]?.message ?? '' } });
    if (answer.data === '')
      return refuse(400, { errors: { answer: 'Write a line, or leave this page: no answer is fine.' } });
    return academy.db.transaction().execute(async (trx) => {
      const target = await findTarget(trx, token);
      const own = target?.employer_request_id ?? null;
      const { numUpdatedRows } = await trx
        .updateTable('employer_requests')
        .set(own === null ? { employer_answer: answer.data } : { asker_answer: answer.data })
        .where(own === null ? 'offer_id' : 'id', '=', own ?? target?.offer_id ?? 0)
        .where('followed_up_at', 'is not', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return refuse(404, 'There is no question to answer here.');
      return { ok: true };
    });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was saved. Please send it again.',
  notSaved:
    'Our system is not available, so nothing was saved. What you wrote is still here. Please send it again in a few minutes.',
  away: unconfirmedText('that your answer was saved', 'Please send it again in a few minutes.'),
  busy: busyText('What you wrote is still below.'),
};
