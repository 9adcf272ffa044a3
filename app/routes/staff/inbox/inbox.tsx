import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { data, href, Link, redirect, useNavigation, useOutletContext } from 'react-router';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { readBookingStart } from '#app/features/inbox/bookings/queries.server.ts';
import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { visitorWroteAfter } from '#app/features/inbox/conversations/queries.server.ts';
import { useFreshData } from '#app/features/inbox/conversations/use-live.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { findItem, finishBooking, holdItem, type Item, snoozeItem } from '#app/features/inbox/holds.server.ts';
import {
  arrivedTo,
  type InboxView,
  inboxTo,
  itemKinds,
  type Show,
  shows,
  viewOf,
  whoses,
} from '#app/features/inbox/inbox-address.ts';
import { nearText } from '#app/features/inbox/need.ts';
import { inboxStaff, readInbox } from '#app/features/inbox/read.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readActor } from '#app/features/people/queries.server.ts';
import {
  type ActDone,
  blankStaffForm,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type Academy, academyContext, type Moment } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import type { LiveCount } from '#app/routes/staff/layout.tsx';
import { button } from '#app/ui/button.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { WhoMay } from '#app/ui/staff/act-form.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { NotAllShown } from '#app/ui/staff/not-all-shown.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/inbox';
import { InboxRow } from './inbox-row.tsx';
import { type Snooze, snoozes, snoozeUntil } from './snooze.ts';

const item = z.string().regex(/^(enquiry|booking):BB-[2-9A-HJ-NP-Z]{6}$|^conversation:[1-9]\d{0,14}$/);
const personId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
/** The holder that the page showed; empty for nobody. */
const was = z.union([z.literal('').transform(() => null), personId]);

const inboxForm = z.discriminatedUnion('act', [
  z.object({ ...common, act: z.literal('take'), item, was }),
  z.object({ ...common, act: z.literal('put-back'), item, was }),
  z.object({ ...common, act: z.literal('give'), item, was, to: personId }),
  z.object({
    ...common,
    act: z.literal('snooze'),
    item,
    until: z.enum(Object.keys(snoozes) as [Snooze, ...Snooze[]]),
    day: z.string().max(10).optional(),
  }),
  z.object({ ...common, act: z.literal('wake'), item }),
  z.object({ ...common, act: z.literal('done'), item }),
]);
type Values = z.output<typeof inboxForm>;

/** Takes one of the forms of the inbox (P81): take, give, put back, snooze, bring back, done. */
function takeInboxAct(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<StaffFormResult> {
  const named = item.safeParse(textsOf(form).item);
  const subject = named.success ? named.data : 'enquiry:none';
  return takeStaffAct(academy, {
    form,
    schema: inboxForm,
    subject,
    actor,
    compares: false,
    words: { kept: 'Nothing was changed.' },
    async act(trx, values, moment, { seen }) {
      const found = await findItem(trx, subject);
      if (!found) return { ok: false, reason: 'missing' };
      return actOn(trx, found, { values, actor, moment, seen });
    },
  });
}

type Acting = { values: Values; actor: StaffActor; moment: Moment; seen: number };

async function actOn(trx: Trx, found: Item, { values, actor, moment, seen }: Acting): Promise<ActDone | Refused> {
  const { now } = moment;
  switch (values.act) {
    case 'take':
      return hold(trx, found, { was: values.was, to: actor.person.id, actor, now, action: values.act });
    case 'put-back':
      return hold(trx, found, { was: values.was, to: null, actor, now, action: values.act });
    case 'give': {
      const other = await readActor(trx, values.to);
      if (!other?.can.has('inbox:work')) return refused('This person does not work with the inbox.');
      return hold(trx, found, { was: values.was, to: values.to, actor, now, action: values.act });
    }
    case 'snooze': {
      const until = snoozeUntil(values.until, values.day ?? '', now);
      if (!until) return refused('Choose a day from tomorrow on, at most 60 days ahead.');
      if (found.kind === 'booking' && (await readBookingStart(trx, found.id)) <= until) {
        return refused('The booking begins before that.');
      }
      await snoozeItem(trx, found, { until, actor, now });
      return { ok: true, did: { action: 'snooze', details: { until: until.toISOString() } } };
    }
    case 'wake':
      await snoozeItem(trx, found, { until: null, actor, now });
      return { ok: true, did: { action: 'wake' } };
    case 'done':
      return finish(trx, found, { values, actor, moment, seen });
  }
}

type Holding = Parameters<typeof holdItem>[2] & { action: string };

async function hold(trx: Trx, found: Item, { action, ...holding }: Holding): Promise<ActDone | Refused> {
  const held = await holdItem(trx, found, holding);
  if (held.ok) return { ok: true, did: { action, details: holding.to === null ? {} : { to: holding.to } } };
  return refused(held.by ? `${held.by} has it in hand now.` : 'Nobody has it in hand any more.');
}

async function finish(
  trx: Trx,
  { kind, id }: Item,
  { values, actor, moment, seen }: Acting,
): Promise<ActDone | Refused> {
  const { now, academy } = moment;
  if (kind === 'booking') {
    await finishBooking(trx, { kind, id }, { actor, now });
    return { ok: true, did: { action: 'done' } };
  }
  if (kind === 'conversation') {
    if (await visitorWroteAfter(trx, id, seen)) return refused('The visitor has written again. Open the chat first.');
    const result = await actOnConversation(trx, { kind: 'closed' }, { conversationId: id, actor, at: now, seen });
    return result.ok ? { ok: true, did: null } : refused(meanwhileText(result));
  }
  const reference = values.item.replace('enquiry:', '');
  const closing = { kind: 'state', state: 'closed' } as const;
  const result = await actOnEnquiry(trx, closing, { reference, actor, at: now, seen, academy });
  return result.ok ? { ok: true, did: null } : refused(meanwhileText(result));
}

const meanwhileText = (result: { reason: 'missing' } | { reason: 'meanwhile'; by: string }): string =>
  result.reason === 'missing' ? 'It has been deleted.' : `${result.by} has answered or closed it in the meantime.`;

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'inbox:read');
  const { db, clock } = context.get(academyContext);
  const now = clock.now();
  const view = viewOf(url.searchParams);
  const { items, lists, staff } = await unlessDatabaseAway(async () => ({
    ...(await readInbox(db, actor, { now, view })),
    staff: actor.can.has('inbox:work') ? await inboxStaff(db, actor) : [],
  }));
  return {
    view,
    lists,
    staff: staff.filter(({ id }) => id !== actor.person.id),
    me: actor.person.id,
    tomorrow: addDays(academyDay(now), 1),
    late: items.filter(({ dueAt, hold }) => !hold.done && dueAt < now).length,
    rows: items.map(({ dueAt, hold: { snoozedUntil, done, seen, ...hold }, ...item }) => ({
      ...item,
      ...hold,
      due: nearText(done?.at ?? dueAt, now),
      late: !done && dueAt < now,
      done: done && { by: done.by },
      snoozed: view.show === 'snoozed' && snoozedUntil ? nearText(snoozedUntil, now) : null,
      form: blankStaffForm(seen),
    })),
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'inbox:work');
  const form = await readForm(request);
  const result = await takeInboxAct(context.get(academyContext), { form, actor });
  if (!result.ok) return data({ form: result.form }, { status: result.status });
  const isOfToday = textsOf(form).from === 'today';
  throw redirect(isOfToday ? `${href('/staff')}#needs` : inboxTo(viewOf(url.searchParams)), 303);
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Inbox');

const labels = { day: 'The day', until: 'Until when', to: 'Who', was: 'Who had it' };
const states = Object.entries(shows) as [Show, string][];

/** Everything that somebody sent and that waits for an answer, in one list, whatever way it came. */
export default function Inbox({ loaderData, actionData }: Route.ComponentProps) {
  const { view, rows, lists, late, staff, me, tomorrow } = loaderData;
  const here = inboxTo(view);
  const list = useRef<HTMLDivElement>(null);
  useRowFocus(list, { items: rows.map(({ item }) => item), refused: actionData !== undefined });
  return (
    <>
      <PageHead
        title="Inbox"
        beside={
          view.show === 'open' && rows.length > 0 ? (
            <>
              {rows.length}
              {lists.length > 0 && ' or more'} open, oldest promise first.
              {late > 0 && <b className="font-semibold text-fault"> {late} late</b>}
            </>
          ) : undefined
        }
      >
        <Link to={href('/staff/enquiries')} className={button.quiet}>
          All messages
        </Link>
        <Link to={href('/staff/conversations')} className={button.quiet}>
          All chats
        </Link>
      </PageHead>
      <WhoMay needs="inbox:work" what="take, give and put off what is in the inbox" />
      {actionData?.form && <ErrorSummary form={actionData.form} labels={labels} formId="inbox" />}
      <div className="flex flex-wrap gap-x-8">
        <Tabs
          label="State"
          tabs={states.map(([show, text]) => ({
            text,
            to: inboxTo({ ...view, show }),
            current: show === view.show,
          }))}
        />
        <Tabs
          label="In whose hand"
          tabs={whoseTabs.map(([whose, text]) => ({
            text,
            to: inboxTo({ ...view, whose }),
            current: whose === view.whose,
          }))}
        />
        <Tabs
          label="Kind"
          tabs={kindTabs.map(([kind, text]) => ({ text, to: inboxTo({ ...view, kind }), current: kind === view.kind }))}
        />
      </div>
      {/* Its line is always there, so that no row moves when something arrives. */}
      <div className="mb-2 min-h-5 text-sm">
        <Arrived key={here} view={view} rows={rows} />
      </div>
      <div ref={list}>
        <Rows
          rows={rows}
          keyOf={({ key }) => key}
          columns="sm:grid-cols-[10rem_5.25rem_minmax(0,1fr)] lg:grid-cols-[10rem_5.25rem_minmax(0,1fr)_auto] sm:items-center"
          label="Inbox"
          none={<Words wide>{nothing[view.show]}</Words>}
        >
          {(row) => <InboxRow row={row} to={here} me={me} staff={staff} tomorrow={tomorrow} />}
        </Rows>
      </div>
      <NotAllShown lists={lists} />
    </>
  );
}

const whoseTabs = Object.entries(whoses) as [keyof typeof whoses, string][];
const kindTabs: [keyof typeof itemKinds | null, string][] = [
  [null, 'Every kind'],
  ...(Object.entries(itemKinds) as [keyof typeof itemKinds, string][]),
];

const nothing: Record<Show, string> = {
  open: 'Nothing waits here.',
  snoozed: 'Nothing is put off.',
  done: 'Nothing is done yet.',
};

/**
 * Keeps the focus in the list when a row was acted on: in the row itself while it is listed, otherwise in the one that
 * came into its place, the last one, or the page's head. `refused`: the page says why, and has the focus there.
 */
function useRowFocus(
  list: RefObject<HTMLElement | null>,
  { items, refused }: { items: readonly string[]; refused: boolean },
) {
  const { state, formData } = useNavigation();
  const acted = useRef<{ item: string; at: number } | null>(null);
  const item = formData?.get('item');
  useEffect(() => {
    if (state === 'submitting' && typeof item === 'string') acted.current = { item, at: items.indexOf(item) };
    if (state !== 'idle' || !acted.current) return;
    const { item: was, at } = acted.current;
    acted.current = null;
    if (refused || at < 0) return;
    const still = items.indexOf(was);
    const rows = [...(list.current?.querySelectorAll(':scope > ul > li') ?? [])];
    const link = rows[still < 0 ? Math.min(at, rows.length - 1) : still]?.querySelector('a');
    if (link) link.focus({ preventScroll: still >= 0 });
    else document.getElementById('main')?.focus();
  }, [state, item, items, refused, list]);
}

/** Says how much has arrived since the page was read, with a link that reads it again. It never changes the rows. */
function Arrived({ view, rows }: { view: InboxView; rows: readonly { key: string }[] }) {
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const count = useArrived(keys, view.show === 'open' ? arrivedTo(view) : null);
  const line = useRef<HTMLParagraphElement>(null);
  return (
    <p role="status" tabIndex={-1} ref={line} className="outline-none">
      {count > 0 && (
        <>
          {count} new.{' '}
          <Link
            to={inboxTo(view)}
            // The link disappears with its text; the line stays.
            onClick={() => line.current?.focus()}
            className="font-semibold text-link underline-offset-3 hover:underline"
          >
            {count === 1 ? 'Show it' : 'Show them'}
          </Link>
        </>
      )}
    </p>
  );
}

const pollMs = 20_000;

/**
 * How many rows a view of the inbox has that the page does not show. `address` gives the view's keys as JSON. It is read
 * every 20 seconds while the page is in view, and at once when that comes back or the frame hears of a chat; null: never.
 */
function useArrived(keys: readonly string[], address: string | null): number {
  const { data: now, read } = useFreshData(keys, address ?? '');
  const { reads } = useOutletContext<LiveCount>();
  const look = useEffectEvent(() => {
    if (address !== null && document.visibilityState === 'visible') read();
  });
  useEffect(() => {
    const poll = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(poll);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  useEffect(() => {
    if (reads > 0) look();
  }, [reads]);
  const shown = new Set(keys);
  return now.filter((key) => !shown.has(key)).length;
}
