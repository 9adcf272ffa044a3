import type { Db, Trx } from '#app/db/client.server.ts';
import type { RenderedMail } from '#app/emails/layout.tsx';
import { sessionMessage } from '#app/emails/session-message.ts';
import { sessionWhen, sessionWhere } from '#app/features/enrolments/words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { findConsent, queueMarketingMail } from '#app/outbox/marketing.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { fillIn, firstNameOf } from './fields.ts';
import { type Audience, audiences, type LeftOut, type Recipient, recipientsOf } from './recipients.server.ts';

/** A message to a course date: subject and text with fields in braces. News and offers need consent (P80). */
export type Message = { subject: string; body: string; marketing: boolean };

const reasons: Record<Recipient['kind'], string> = {
  attendee: 'You get this because this address belongs to a place in this course.',
  enrolment: 'You get this because you enrolled people in this course.',
  'waiting-entry': 'You get this because you are on the waiting list of this course date.',
};

const buttons: Record<Recipient['kind'], string> = {
  attendee: 'Open your place',
  enrolment: 'Open the enrolment',
  'waiting-entry': 'Open your place in line',
};

/** The course that a message is about, in words; `slug` of its date, where it has one. */
export type MessageCourse = { title: string; slug: string | null; when: string; where: string };

/** A course date as messages name it. */
export async function messageSession(db: Db, sessionId: number): Promise<MessageCourse> {
  const session = (await messageSessions(db, [sessionId])).get(sessionId);
  if (!session) throw new Error(`no course date ${sessionId}`);
  return session;
}

/** Several course dates as messages name them, by their ids. */
export async function messageSessions(db: Db, ids: readonly number[]): Promise<Map<number, MessageCourse>> {
  const rows = await db
    .selectFrom('training_sessions')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['training_sessions.id', 'title', 'training_sessions.slug', 'starts_on', 'ends_on', 'starts_at', 'ends_at'])
    .select(['zone', 'delivery', 'venue', 'room', 'street'])
    .where('training_sessions.id', 'in', [0, ...ids])
    .execute();
  return new Map(
    rows.map(({ id, title, slug, starts_on: startsOn, ends_on: endsOn, zone, venue, room, street, ...row }) => {
      const [startsAt, endsAt] = [row.starts_at.slice(0, 5), row.ends_at.slice(0, 5)];
      const when = sessionWhen({ startsOn, endsOn, startsAt, endsAt, zone });
      const where = sessionWhere({ delivery: row.delivery, venue, room, street });
      return [id, { title, slug, when, where }];
    }),
  );
}

type Written = { message: Message; course: MessageCourse; moment: Pick<Moment, 'academy'> };

/** The message to one person. `link` is the address of their page, or a placeholder for it. */
export function messageTo(
  recipient: Pick<Recipient, 'called' | 'reference' | 'kind'>,
  { message, course, moment }: Written,
  { link, unsubscribe }: { link: string; unsubscribe?: string },
): RenderedMail {
  const values = {
    'first name': firstNameOf(recipient.called),
    course: course.title,
    date: course.when,
    place: course.where,
    number: recipient.reference,
  };
  return sessionMessage({
    subject: fillIn(message.subject, values),
    text: fillIn(message.body, values),
    course: course.title,
    when: course.when,
    link,
    button: buttons[recipient.kind],
    reason: reasons[recipient.kind],
    ...(unsubscribe && { unsubscribe }),
    academy: moment.academy,
  });
}

/** The recipients of a message, and the people left out with reasons; news and offers need consent. */
export async function whoGets(
  db: Db,
  sessionId: number,
  { to, marketing }: { to: readonly Audience[]; marketing: boolean },
): Promise<Recipient[]> {
  const all = await recipientsOf(db, sessionId, { to });
  if (!marketing) return all;
  return withConsent(db, all);
}

/** The same people without those who have not agreed to news and offers. */
export async function withConsent<One extends Recipient>(db: Db, recipients: readonly One[]): Promise<One[]> {
  const asked: One[] = [];
  for (const one of recipients) {
    const agreed = one.leftOut !== null || one.email === null || (await findConsent(db, one.email)).state === 'agreed';
    asked.push(agreed ? one : { ...one, leftOut: 'no-consent' });
  }
  return asked;
}

/** One of those for whom a message to a course date was fixed; null when they have left it since. */
export async function sessionRecipient(
  trx: Trx,
  sessionId: number,
  item: { kind: string; id: number },
): Promise<(Recipient & { course: MessageCourse }) | null> {
  const [recipient] = await recipientsOf(trx, sessionId, { to: audiences, only: item });
  return recipient ? { ...recipient, course: await messageSession(trx, sessionId) } : null;
}

/** Queues a message to somebody, once for each `key`. */
export async function sendTo(
  trx: Trx,
  recipient: Recipient,
  { message, course, moment }: { message: Message; course: MessageCourse; moment: Moment },
  key: string,
): Promise<{ ok: true; mailId: string | null } | { ok: false; reason: LeftOut }> {
  const { email: to, link, leftOut } = recipient;
  if (leftOut !== null || to === null) return { ok: false, reason: leftOut ?? 'no-address' };
  const written = { message, course, moment };
  if (message.marketing) {
    const { url } = moment.academy;
    const page = course.slug === null ? '/courses' : `/training-calendar/${course.slug}`;
    const queued = await queueMarketingMail(trx, {
      to,
      kind: 'session-news',
      baseUrl: url,
      render: (unsubscribe) => messageTo(recipient, written, { link: url + page, unsubscribe }),
    });
    return queued === null ? { ok: false, reason: 'no-consent' } : { ok: true, mailId: queued };
  }
  const mailId = await queueMail(trx, {
    kind: 'place-message',
    about: recipient.about,
    to,
    replyTo: moment.academy.email,
    links: [link],
    dedupeKey: key,
    ...messageTo(recipient, written, { link: placeholderOf(link) }),
  });
  return { ok: true, mailId };
}
