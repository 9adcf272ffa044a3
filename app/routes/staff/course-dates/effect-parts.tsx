import { href } from 'react-router';
import type { Check, readBusyThen } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import type { Notified } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Table, TextLink } from '#app/ui/staff/typography.tsx';
import type { TriedMail } from './try-change.server.ts';

type Sums = { atOnce: number; later: number };

/** The effect on money, at once and if every buyer takes the refund. */
export function MoneyEffects({ sums, later }: { sums: readonly (Sums & { text: string })[]; later: string }) {
  return (
    <Section title="Money">
      <Table
        head={['What', { text: 'At once, AU$', right: true }, { text: `${later}, AU$`, right: true }]}
        label="Money"
        rows="work"
        minWidth="min-w-0"
      >
        {sums.map(({ text, atOnce, later: most }) => (
          <tr key={text}>
            <td>{text}</td>
            <NumberCell>{formatCents(atOnce)}</NumberCell>
            <NumberCell>{formatCents(most)}</NumberCell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** The mails as they would arrive: one of each kind and reader is opened, all others like it stay folded. */
export function MailEffects({ mails }: { mails: readonly TriedMail[] }) {
  if (mails.length === 0) return null;
  return (
    <Section title={mails.length === 1 ? '1 email' : `${mails.length} emails`}>
      {mails.map(({ key, to, subject, text }) => (
        <details key={key} className="border-b border-line">
          <summary className="min-h-9 py-2">
            <b className="font-semibold break-all">{to}</b> <span className="text-mute">{subject}</span>
          </summary>
          <pre className="mb-3 max-w-[40rem] border border-line bg-card p-4 font-sans whitespace-pre-wrap wrap-anywhere">
            {text}
          </pre>
        </details>
      ))}
    </Section>
  );
}

/** Whom the job of the waiting lists writes to after a move. */
export function NotifiedLater({ over, offered }: Notified) {
  return (
    <>
      {over > 0 && <p>{onTheList(over, 'hears', 'hear')} that enrolment is closed.</p>}
      {offered > 0 && <p>{onTheList(offered, 'is', 'are')} offered seats at once.</p>}
    </>
  );
}

/** `1 person on the waiting list hears`, `2 people on the waiting list hear`. */
export const onTheList = (count: number, one: string, many: string): string =>
  count === 1 ? `1 person on the waiting list ${one}` : `${count} people on the waiting list ${many}`;

/** The people with another course date on the new days. */
export function CannotCome({ busy }: { busy: Awaited<ReturnType<typeof readBusyThen>> }) {
  if (busy.length === 0) return null;
  return (
    <section aria-labelledby="cannot-come">
      <h2 id="cannot-come" className="border-b border-rule pb-1.5 text-lg text-fault">
        {busy.length === 1 ? '1 person is in another class then' : `${busy.length} people are in another class then`}
      </h2>
      <ul>
        {busy.map(({ id, name, other, slug }) => (
          <li key={`${id} ${slug}`} className="flex min-h-9 flex-wrap items-center gap-x-6 border-b border-line py-1.5">
            <b className="font-semibold">{name || 'To be named'}</b>
            <TextLink to={href('/staff/course-dates/:slug', { slug })}>{other}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether instructor, room and days are free. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul aria-label="The new days" className="grid gap-1 text-sm">
      {checks.map(({ fine, text }) => (
        <li key={text} className={fine === true ? 'text-mute' : 'font-semibold text-fault'}>
          {fine === true ? '✓ ' : fine === 'no-clash' ? '' : 'Clash. '}
          {text}
        </li>
      ))}
    </ul>
  );
}
