import { href } from 'react-router';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { awaySinceText, type MailHealth } from '#app/outbox/mail-health.server.ts';

/** Mail that was due for longer than this is worth a look even though the server answers. */
const longMs = 15 * 60_000;

/** The task for staff when mail is not going out; null while it is. */
export function mailTodo(health: MailHealth): { count: number; what: string; why: string; to: string }[] {
  const { state, waiting, oldestAt, answer, at } = health;
  const to = href('/staff/mail');
  const oldest = oldestAt ? `, the oldest since ${formatMoment(oldestAt)}` : '';
  if (state === 'away') {
    const last = answer ? ` Last answer: ${showControlCharacters(answer)}` : '';
    const why = `${waiting === 1 ? '1 email waiting' : `${waiting} emails waiting`}${oldest}. They go out as soon as the mail server answers.${last}`;
    return [{ count: waiting, what: `We have sent no email since ${awaySinceText(health)}`, why, to }];
  }
  if (oldestAt && at.getTime() - oldestAt.getTime() > longMs) {
    const why = `The mail server answers, but it did not take some emails${oldest}. The page says why. We keep trying for five days.`;
    return [{ count: waiting, what: 'Emails waiting', why, to }];
  }
  return [];
}
