import type { Trx } from '#app/db/client.server.ts';
import { courseDateMessage } from '#app/emails/course-dates.ts';
import type { RenderedMail } from '#app/emails/layout.tsx';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMarketingMail } from '#app/outbox/marketing.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { fillIn, firstNameOf } from './fields.ts';
import type { Audience, MessageCourse, Recipient } from './recipients.server.ts';

/** Subject and text with fields in braces. News and offers need consent (P80). */
export type Message = { subject: string; body: string; marketing: boolean };

const reasons: Record<Audience, string> = {
  attendees: 'You get this because this address belongs to a place in this course.',
  buyers: 'You get this because you enrolled people in this course.',
  waiting: 'You get this because you are on the waiting list of this course date.',
};

const buttons: Record<Audience, string> = {
  attendees: 'Open your place',
  buyers: 'Open the enrolment',
  waiting: 'Open your place in line',
};

type Written = { message: Message; course: MessageCourse; moment: Pick<Moment, 'academy'> };

/** The message to one person. `link` is the address of their page, or a placeholder for it. */
export function messageTo(
  recipient: Pick<Recipient, 'called' | 'reference' | 'audience'>,
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
  return courseDateMessage({
    subject: fillIn(message.subject, values),
    text: fillIn(message.body, values),
    course: course.title,
    when: course.when,
    link,
    button: buttons[recipient.audience],
    reason: reasons[recipient.audience],
    ...(unsubscribe && { unsubscribe }),
    academy: moment.academy,
  });
}

/** Queues a message to somebody who is not left out. */
export async function queueMessage(
  trx: Trx,
  { email: to, course, about, link, ...recipient }: Recipient & { email: string },
  { message, bulkAction }: { message: Message; bulkAction: number },
  moment: Moment,
): Promise<void> {
  const written = { message, course, moment };
  const { url, email: replyTo } = moment.academy;
  const common = { to, bulkAction, ...(course.date && { courseDate: course.date.id }) };
  if (message.marketing) {
    const page = course.date === null ? '/courses' : `/training-calendar/${course.date.slug}`;
    await queueMarketingMail(trx, {
      ...common,
      kind: 'course-date-news',
      baseUrl: url,
      render: (unsubscribe) => messageTo(recipient, written, { link: url + page, unsubscribe }),
    });
    return;
  }
  const mail = messageTo(recipient, written, { link: placeholderOf(link) });
  await queueMail(trx, { ...common, kind: 'place-message', about, replyTo, links: [link], ...mail });
}
