import { sql } from 'kysely';
import { readHolidays } from '#app/features/money/invoices.server.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { instantsOf } from './period.ts';
import type { Cell, Report } from './report.ts';

type Came = { came: Date; answered: Date | null; closed: boolean };
type Message = Came & { isEmail: boolean };

/** How soon staff answered first, against what our confirmations promise. */
export const answers: Report = {
  slug: 'answers',
  title: 'First answers',
  about: 'How soon messages, emails and chats got their first answer.',
  definition: [
    'A message counts on the day on which it came, together with its corrections, an email on the day on which our mail server received it, and a chat on the day of its first words. The first answer is the first that staff sent through this program; one to a later email of the same person in the conversation counts too. Answers by phone are not known.',
    'Emails that programs wrote, such as an out-of-office reply, are not counted unless staff answered them.',
    'In time is within one business day: until we close on the business day after it came, in Brisbane, without Queensland’s public holidays. Late is what was answered after that, or waits since. “Closed without” was closed and never answered. What came lately and can still be answered in time is in none of these.',
    'The median is the time by which half of those answered had their answer, nights and weekends included.',
  ],
  async read(db, actor, period, now) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const holidays = await readHolidays(db);
    const { rows: messages } = await sql<Message>`
      select enquiry.created_at as came, min(act.created_at) as answered, bool_and(one.state = 'closed') as closed,
        enquiry.kind = 'email' as "isEmail"
      from enquiries enquiry
        join enquiries one on one.id = enquiry.id or one.corrects = enquiry.reference
        left join inbound_emails email on email.enquiry_id = enquiry.id
        left join enquiry_acts act on act.enquiry_id = one.id
          and (act.kind = 'answer' or act.with_act is not null and act.state = 'answered')
      where enquiry.created_at >= ${from} and enquiry.created_at < ${end} and enquiry.corrects is null
      group by enquiry.id, email.automatic
      having email.automatic is not true or min(act.created_at) is not null`.execute(db);
    const chats = await sql<Came>`
      select created_at as came, state = 'closed' as closed, (select min(message.created_at)
        from conversation_messages message where message.conversation_id = chat.id and message.kind = 'answer') as answered
      from conversations chat where created_at >= ${from} and created_at < ${end}`.execute(db);
    const row = (name: string, all: readonly Came[]): Cell[] => {
      const waits = all.flatMap(({ came, answered }) => (answered ? [answered.getTime() - came.getTime()] : []));
      const without = all.filter(({ answered, closed }) => closed && !answered).length;
      const inTime = all.filter(
        ({ came, answered }) => answered && answered <= promisedAnswerBy(came, holidays),
      ).length;
      const late = all.filter(
        ({ came, answered, closed }) => (answered || !closed) && (answered ?? now) > promisedAnswerBy(came, holidays),
      ).length;
      return [name, all.length, waits.length, inTime, late, without, medianHours(waits)];
    };
    return {
      columns: [
        { head: 'What came', kind: 'text' },
        { head: 'Came', kind: 'count' },
        { head: 'Answered', kind: 'count' },
        { head: 'In time', kind: 'count' },
        { head: 'Late', kind: 'count' },
        { head: 'Closed without', kind: 'count' },
        { head: 'Median hours', kind: 'hours' },
      ],
      rows: [
        row(
          'Messages',
          messages.filter(({ isEmail }) => !isEmail),
        ),
        row(
          'Emails',
          messages.filter(({ isEmail }) => isEmail),
        ),
        row('Chats', chats.rows),
      ],
      charts: [],
      hasSum: true,
    };
  },
};

function medianHours(waits: readonly number[]): number | null {
  const sorted = waits.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2 / 3_600_000;
}
