import { data, href } from 'react-router';
import { readTimesForStaff } from '#app/features/inbox/bookings/choice.server.ts';
import { bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { findBookingForStaff } from '#app/features/inbox/bookings/queries.server.ts';
import { stateOf } from '#app/features/inbox/bookings/rules.ts';
import { DayPicker, TimeRadios } from '#app/features/inbox/bookings/time-picker.tsx';
import { formatAcademySpan } from '#app/features/inbox/bookings/zones.ts';
import { holderText } from '#app/features/inbox/holds.server.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Notes } from '#app/ui/staff/notes.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { RecordPage } from '#app/ui/staff/record-page.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Facts, Panel, Pill } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/booking';
import { takeBookingChange } from './booking-acts.server.ts';
import { staffMeta } from './frame/staff-meta.ts';
import { isNoteForm, shownNotes, takeNoteAct } from './note-acts.server.ts';

export async function loader({ context, params: { reference }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bookings:read');
  const { db, clock } = context.get(academyContext);
  const { bookings: settings } = context.get(snapshotContext).current();
  const date = url.searchParams.get('date');
  const found = await unlessDatabaseAway(async () => {
    const booking = await findBookingForStaff(db, actor, reference);
    if (!booking) return null;
    const about = { kind: 'booking', id: booking.id } as const;
    return {
      booking,
      holder: booking.cancelledAt ? null : await holderText(db, actor, about),
      notes: await readNotes(db, about, actor, clock.now()),
      seen: (await readHistory(db, actor, `booking:${reference}`)).seen,
      choice:
        stateOf(booking, clock.now()) === 'upcoming' && actor.can.has('bookings:change')
          ? await readTimesForStaff(db, actor, booking.kind, { settings, now: clock.now(), date, except: booking.id })
          : null,
    };
  });
  if (!found) throw data(`No booking has the reference ${reference}. It may have been deleted.`, { status: 404 });
  const { booking, holder, notes, seen, choice } = found;
  return {
    reference,
    holder,
    name: showControlCharacters(booking.name),
    kind: bookingKinds[booking.kind].title,
    when: formatAcademySpan({ start: booking.startsAt, end: booking.endsAt }),
    cancelled: booking.cancelledAt && formatMoment(booking.cancelledAt),
    wrote: showControlCharacters(booking.note ?? ''),
    facts: [
      ['Email', showControlCharacters(booking.email)],
      ['About', booking.about],
      ['Booked', formatMoment(booking.createdAt)],
      ['Last changed', booking.sequence > 0 ? formatMoment(booking.changedAt) : null],
    ] as const,
    notes: shownNotes(notes),
    choice,
    moving: date !== null,
    form: blankStaffForm(seen),
  };
}

export async function action({ context, request, params: { reference } }: Route.ActionArgs) {
  const actor = staffFor(context, 'bookings:change');
  const form = await readForm(request);
  const path = href('/staff/bookings/:reference', { reference });
  const academy = context.get(academyContext);
  if (!isNoteForm(form)) {
    const { bookings: settings } = context.get(snapshotContext).current();
    return answerForm(await takeBookingChange(academy, { form, actor, settings, reference }), path);
  }
  const result = await takeNoteAct(academy, {
    form,
    subject: `booking:${reference}`,
    actor,
  });
  return answerForm(result, path);
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ params }) => staffMeta(params.reference ?? 'Booking');

/** A time booked with an adviser, as staff see it, with their notes. */
export default function Booking({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, holder, name, kind, when, cancelled, wrote, facts, notes, choice } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <RecordPage
      back={{ to: href('/staff/bookings'), text: 'Bookings' }}
      title={name}
      pill={cancelled && <Pill look="over">{`Cancelled ${cancelled}`}</Pill>}
      line={
        <>
          {kind} <span className="tabular">{reference}</span>, {when}
          {holder && `. ${holder}`}
        </>
      }
      form={form}
      labels={{ note: 'Note', start: 'Time' }}
      needs="notes:write"
      what="write notes"
      about="About this booking"
      aside={<Facts facts={facts} tabular={false} />}
    >
      {wrote && (
        <Panel title="What they wrote">
          <p className="whitespace-pre-wrap wrap-anywhere">{wrote}</p>
        </Panel>
      )}
      {choice && (
        <>
          <Section title="Move it">
            <details open={loaderData.moving || form.values.act === 'move'}>
              <summary className="w-fit cursor-pointer text-link">Choose another time</summary>
              <div className="mt-3 grid gap-5">
                <DayPicker choice={choice} addressOf={(day) => `?date=${day}`} />
                <ActForm act="move" form={form} needs="bookings:change" submit="Move it and email them">
                  <TimeRadios choice={choice} form={form} zone={null} />
                </ActForm>
              </div>
            </details>
          </Section>
          <Section title="Cancel it">
            <ActForm act="cancel" form={form} needs="bookings:change" submit="Cancel it and email them" look="danger">
              <p>The time is free for somebody else at once.</p>
            </ActForm>
          </Section>
        </>
      )}
      <Notes key={notes.length} notes={notes} form={form} />
    </RecordPage>
  );
}
