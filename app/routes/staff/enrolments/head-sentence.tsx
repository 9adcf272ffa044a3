import { Fragment } from 'react';
import { TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken, unbroken } from '#app/ui/staff/unbroken.tsx';
import type { ShownEnrolment } from './shown-enrolment.server.ts';

/** A sentence that sums up an enrolment; its figures link to their details. */
export function HeadSentence({ enrolment }: { enrolment: ShownEnrolment }) {
  const { people, courses, balanceCents, owed, dueBy, unnamed } = enrolment;
  return (
    <p className="-mt-2 mb-6 text-base/6">
      {people === 0 ? (
        'No active place'
      ) : (
        <TextLink to="#people">{people === 1 ? '1 person' : `${people} people`}</TextLink>
      )}
      {courses.map(({ key, text, to }, at) => (
        <Fragment key={key}>
          {at === 0 ? ' on ' : ', and '}
          {to ? <TextLink to={to}>{text}</TextLink> : <Unbroken text={text} />}
        </Fragment>
      ))}
      . {balanceCents === 0 && <TextLink to="#money">Nothing owed</TextLink>}
      {balanceCents > 0 && (
        <>
          <TextLink to="#money">{owed}</TextLink> owed{' '}
          {dueBy ? (
            <span className={dueBy.late ? 'font-semibold text-fault' : ''}>{unbroken(dueBy.text)}</span>
          ) : (
            ', not due yet'
          )}
        </>
      )}
      {balanceCents < 0 && (
        <span className="font-semibold text-fault">
          <TextLink to="#money">{owed}</TextLink> to refund
        </span>
      )}
      .{' '}
      {unnamed > 0 && (
        <span className="font-semibold text-fault">
          <TextLink to="#people">{unnamed === 1 ? '1 name missing' : `${unnamed} names missing`}</TextLink>.
        </span>
      )}
    </p>
  );
}
