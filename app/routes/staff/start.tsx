import { href, Link } from 'react-router';
import { countReportedBowers } from '#app/features/bower/queries.server.ts';
import { importDueContext, isStillDue } from '#app/features/content/import-due.server.ts';
import { countWaiting } from '#app/features/conversations/queries.server.ts';
import { countRequests } from '#app/features/enquiries/inbox.server.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { openingSettingsContext } from '#app/features/site/opening.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { mailHealthContext } from '#app/outbox/mail-health.server.ts';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/start';
import { countJumps } from './enrolments/clusters.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { mailTodo } from './mail-todo.server.ts';
import { datesTodo, readOwnerSections } from './owner-sections.server.ts';
import { OwnerSections } from './owner-sections.tsx';
import { countTodo, mostTodo } from './todo.server.ts';

/** Something that waits for those who may open its page. */
type Item = { count: number; what: string; why: string; to: string; needs: Permission };

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'todo:read');
  const { db, clock } = context.get(academyContext);
  return orAway(async () => {
    const { requests, others } = await countRequests(db);
    const today = academyToday(clock);
    const todo = await countTodo(db, today);
    const items: Item[] = [
      {
        count: requests,
        what: 'Requests to enrol',
        why: 'Large groups and job-guarantee programmes: send them an agreement first.',
        to: `${href('/staff/enquiries')}?state=new&kind=enrolment`,
        needs: 'enquiries:read',
      },
      {
        count: others,
        what: 'Messages',
        why: 'New in the inbox.',
        to: `${href('/staff/enquiries')}?state=new`,
        needs: 'enquiries:read',
      },
      {
        count: await countWaiting(db),
        what: 'Chats',
        why: 'Someone is waiting for an answer.',
        to: href('/staff/conversations'),
        needs: 'conversations:read',
      },
      {
        count: todo.sessions,
        what: 'Sessions to decide',
        why: 'Their decision day has come: confirm or cancel.',
        to: `${href('/staff/sessions')}?state=undecided`,
        needs: 'sessions:read-all',
      },
      {
        count: todo.belowMinimum,
        what: 'Sessions below their minimum',
        why: 'They were confirmed, then people cancelled: run them anyway, or cancel them.',
        to: `${href('/staff/sessions')}?state=below`,
        needs: 'sessions:read-all',
      },
      {
        count: todo.wayIn,
        what: 'Rooms and links to set',
        why: 'They start within three business days, and reminders wait for the room or the link.',
        to: `${href('/staff/sessions')}?state=way-in`,
        needs: 'sessions:read-all',
      },
      {
        count: todo.overdue,
        what: 'Invoices past due',
        why: 'We cancel nothing automatically: send a reminder, or cancel the places.',
        to: `${href('/staff/enrolments')}?state=overdue`,
        needs: 'enrolments:read',
      },
      {
        count: todo.unmatched,
        what: 'Payments without an enrolment',
        why: 'Say which enrolment each is for.',
        to: href('/staff/payments'),
        needs: 'money:read',
      },
      {
        count: todo.outgoing,
        what: 'Money that went out',
        why: 'The bank statement names an enrolment: say whether the bank took a payment back.',
        to: href('/staff/payments'),
        needs: 'money:read',
      },
      {
        count: todo.refunds,
        what: 'Refunds to send',
        why: 'Send them to where the money came from, then record them.',
        to: href('/staff/payments'),
        needs: 'money:read',
      },
      {
        count: todo.failedRefunds,
        what: 'Refunds that failed',
        why: 'We owe the buyer this refund again.',
        to: href('/staff/payments'),
        needs: 'money:read',
      },
      {
        count: todo.choosing,
        what: 'Choices open',
        why: 'Buyers may choose another date or a refund. A buyer who does not answer keeps a date that we moved, and gets a refund for one that we cancelled.',
        to: `${href('/staff/enrolments')}?state=choosing`,
        needs: 'enrolments:read',
      },
      {
        count: await countJumps(db, clock.now()),
        what: 'Many unpaid seats at once',
        why: 'They may all come from one person. Check them, and cancel any that are not genuine.',
        to: href('/staff/unpaid'),
        needs: 'enrolments:read',
      },
      {
        count: await countReportedBowers(db),
        what: 'Bowers reported',
        why: 'A visitor says that something is wrong with a public bower. Hide it, or keep it.',
        to: `${href('/staff/bowers')}?state=reported`,
        needs: 'bowers:read',
      },
      {
        count: todo.failedMails,
        what: 'Emails that failed',
        why: 'Correct the address or call the person.',
        to: href('/staff/mail'),
        needs: 'mail:read',
      },
      {
        count: todo.faults,
        what: 'Jobs that failed',
        why: 'The program could not do something. The page says what it is and what you can do.',
        to: href('/staff/faults'),
        needs: 'faults:read',
      },
    ];
    const due = context.get(importDueContext);
    const shown = items.filter(({ count, needs }) => count > 0 && actor.can.has(needs));
    const mail = actor.can.has('mail:read') ? mailTodo(await context.get(mailHealthContext)()) : [];
    const settings = context.get(openingSettingsContext);
    return {
      owner: await readOwnerSections(db, { actor, settings, today }),
      seesMoney: actor.can.has('money:read'),
      importDue: due && (await isStillDue(db, due)) ? due.sentence : null,
      items: [...mail, ...(await datesTodo(db, actor, today)), ...shown].map(({ count, what, why, to }) => ({
        what,
        why,
        to,
        count: count >= mostTodo ? `${mostTodo}+` : String(count),
      })),
    };
  });
}

export const meta = () => staffMeta('To do');

export default function Start({ loaderData: { items, importDue, seesMoney, owner } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-5 text-2xl">To do</h1>
      {importDue && (
        <div className="mb-5 max-w-3xl rounded-control border border-line bg-card px-4 py-3">
          <b>The site does not show the latest content yet.</b>
          <p className="text-sm text-mute wrap-anywhere">{importDue}</p>
        </div>
      )}
      {items.length === 0 ? (
        <Words>
          {seesMoney
            ? 'There is nothing to do. Sessions, enrolments and money are in the navigation above.'
            : 'There is nothing for you to do. Your pages are in the navigation above.'}
        </Words>
      ) : (
        <ul className="max-w-3xl overflow-hidden rounded-control border border-line bg-card">
          {items.map(({ count, what, why, to }) => (
            <li
              key={what}
              className="relative grid grid-cols-[4rem_minmax(0,1fr)] items-baseline gap-x-4 border-b border-line px-4 py-3 last:border-b-0 hover:bg-paper"
            >
              <span className="tabular text-right font-display text-2xl font-bold">{count}</span>
              <div>
                <Link
                  to={to}
                  className="font-bold text-link underline-offset-4 after:absolute after:inset-0 hover:underline"
                >
                  {what}
                </Link>
                <p className="text-sm text-mute">{why}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <OwnerSections {...owner} />
    </>
  );
}
