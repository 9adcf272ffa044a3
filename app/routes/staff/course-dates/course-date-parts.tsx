import type { ReactNode } from 'react';
import { href } from 'react-router';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { Sign } from '#app/ui/sign.tsx';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Straws } from '#app/ui/staff/straws.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/course-date';

type Data = Route.ComponentProps['loaderData'];

/** Seats, room, instructor, money and the public page side by side. */
export function CourseDateFacts({ courseDate, told }: { courseDate: Data['courseDate']; told: string | null }) {
  const {
    slug,
    onlyFor,
    standing,
    sold,
    held,
    offered,
    left,
    reserved,
    capacity,
    minimum,
    room,
    street,
    joiningLink,
    joiningDetailsMissing,
  } = courseDate;
  const cancelled = courseDate.state === 'cancelled';
  return (
    <dl
      aria-label="About this course date"
      className="mb-7 grid gap-x-12 gap-y-5 border-y border-rule py-4 sm:grid-cols-2 lg:grid-cols-[auto_1.4fr_1fr_1fr_1fr]"
    >
      <Fact name="Seats sold">
        <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
          <div>
            <p className="text-xl font-bold">
              {sold} of {capacity}
            </p>
            <p className="text-sm text-mute">{`${sold} sold, ${held} held, ${offered} offered${reserved > 0 ? `, ${reserved} reserved for the waiting list` : ''}${cancelled ? '' : `, ${left} left of ${capacity}`}`}</p>
            <p className="text-sm text-mute">
              <Unbroken text={`${courseDate.decision}. Minimum ${minimum}.`} />
            </p>
          </div>
          <Straws sold={sold} held={held + offered} total={capacity} minimum={minimum} large />
        </div>
      </Fact>
      <Fact name={courseDate.delivery === 'online' ? 'Link' : 'Room'}>
        {[street, room].filter(Boolean).map((part) => (
          <p key={part} className="font-semibold wrap-anywhere">
            {part}
          </p>
        ))}
        {joiningLink && <p className="font-semibold">Link to the class is set</p>}
        {joiningDetailsMissing !== '' && !cancelled && (
          <p className="font-semibold text-fault">Not set: {joiningDetailsMissing}</p>
        )}
        {told && (
          <p className="text-sm text-mute">
            <Unbroken text={told} />
          </p>
        )}
      </Fact>
      <Fact name="Instructor">
        <p className="font-semibold">{courseDate.instructor}</p>
      </Fact>
      {courseDate.chargedCents !== null && (
        <Fact name="Sold">
          {sold === 0 && courseDate.chargedCents === 0 ? (
            <p className="font-semibold">Nothing{standing === 'open' ? ' yet' : ''}</p>
          ) : (
            <>
              <p className="font-semibold">{formatExact(courseDate.chargedCents)}</p>
              <p className="text-sm text-mute">
                {courseDate.unpaid === 0
                  ? 'Everything is paid'
                  : `${courseDate.unpaid} ${courseDate.unpaid === 1 ? 'enrolment' : 'enrolments'} unpaid`}
              </p>
            </>
          )}
        </Fact>
      )}
      <Fact name={onlyFor ? 'Only for' : 'In public'}>
        {onlyFor ? (
          <>
            <p className="font-semibold wrap-anywhere">{onlyFor.name}</p>
            <OnlyWith permission="companies:read">
              <TextLink to={href('/staff/organisations/:id', { id: String(onlyFor.id) })}>Its page</TextLink>
            </OnlyWith>
          </>
        ) : (
          <TextLink to={href('/training-calendar/:courseDateId', { courseDateId: slug })}>Page of this date</TextLink>
        )}
        {!cancelled && (
          <p className="text-sm text-mute">
            <Unbroken text={`Enrolment ends ${formatDay(courseDate.enrolmentEnds)}`} />
          </p>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-sm text-mute">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The open tasks of the course date. */
export function WhatIsLeft({ todo }: { todo: Data['todo'] }) {
  if (todo.length === 0) return null;
  const open = todo.filter(({ done }) => !done).length;
  return (
    <Section title="What is left to do" end={<span className="text-mute">{`${open} of ${todo.length} open`}</span>}>
      <ul>
        {todo.map(({ text, done, to }) => (
          <li key={text} className="flex min-h-9 items-center gap-3 border-b border-line py-1.5">
            {done ? (
              <Sign name="check" className="size-4 shrink-0 text-mute" />
            ) : (
              <svg aria-hidden="true" viewBox="0 0 10 10" className="size-4 shrink-0 fill-none stroke-fault p-0.5">
                <path d="m5 .8 3.6 4.2L5 9.2 1.4 5Z" />
              </svg>
            )}
            <span className={done ? 'text-mute' : ''}>
              {to ? <TextLink to={to}>{text}</TextLink> : text}
              <span className="sr-only">{done ? ', done' : ', open'}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The mails about it that are still kept. */
export function Messages({ messages }: { messages: NonNullable<Data['messages']> }) {
  return (
    <Section title="Messages" end={<TextLink to={href('/staff/mail')}>All mail</TextLink>}>
      {messages.length === 0 && <p className="py-2 text-mute">None is kept.</p>}
      <ul>
        {messages.map(({ key, at, subject, arrived, failed }) => (
          <li key={key} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 border-b border-line py-1.5">
            <span className="text-sm text-mute">
              {at.split(', ').map((part) => (
                <span key={part} className="block">
                  {part}
                </span>
              ))}
            </span>
            <span className="min-w-0">
              <b className="block truncate font-semibold" title={subject}>
                {subject}
              </b>
              <span className={`text-sm ${failed ? 'font-semibold text-fault' : 'text-mute'}`}>{arrived}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
