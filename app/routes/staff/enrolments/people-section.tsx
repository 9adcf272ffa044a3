import { href } from 'react-router';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { ActLink, EmailText, Table, TextLink } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { ShownEnrolment } from './shown-enrolment.server.ts';

type Props = Pick<ShownEnrolment, 'reference' | 'places' | 'seesNeeds'>;

/** The attendees with their courses, prices and needs. */
export function PeopleSection({ reference, places, seesNeeds }: Props) {
  const count = places.filter(({ active }) => active).length;
  return (
    <Section title="People" id="people" beside={`${count === 1 ? '1 place' : `${count} places`}, ${reference}`}>
      <Table
        head={['Who attends', 'Place', 'Before the class', { text: 'Acts', className: 'sr-only' }]}
        label="People"
        stacks
      >
        {places.map((place) => (
          <tr key={place.id} className={place.active ? '' : 'text-mute'}>
            <td className="min-w-36">
              <div className={place.unnamed && place.active ? 'font-semibold text-fault' : 'font-semibold'}>
                {place.unnamed && !place.active ? 'Not named' : place.who}
              </div>
              {place.email && (
                <div className="text-sm text-mute">
                  <EmailText>{place.email}</EmailText>
                </div>
              )}
            </td>
            <td>
              <div>
                <Unbroken text={place.course} />,{' '}
                {place.courseDate ? (
                  <TextLink to={href('/staff/course-dates/:slug', { slug: place.courseDate })}>{place.days}</TextLink>
                ) : (
                  <Unbroken text={place.days} />
                )}
              </div>
              <div className="text-sm text-mute">
                {place.price}
                {place.paid && `, ${place.paid}`}
                {place.discount && <span className="block">{place.discount}</span>}
              </div>
            </td>
            <td>
              {place.notes.map((note) => (
                <div key={note} className="font-semibold">
                  {note}
                </div>
              ))}
              {seesNeeds && place.active && place.notes.length === 0 && (
                <div className="whitespace-nowrap text-mute">Nothing asked for</div>
              )}
              <div className="text-sm text-mute">{place.opened ?? (place.state === 'Active' ? '' : place.state)}</div>
            </td>
            <td className="text-right whitespace-nowrap">
              {place.active && <PlaceActs reference={reference} place={place} />}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function PlaceActs({ reference, place }: { reference: string; place: Props['places'][number] }) {
  const { id, attendeeId, dated, undated, unnamed } = place;
  return (
    <>
      <OnlyWith permission="enrolments:change">
        <ActLink
          to={href('/staff/enrolments/:reference/attendees/:attendeeId', { reference, attendeeId: String(attendeeId) })}
        >
          {unnamed ? 'Name' : 'Change'}
          <span className="sr-only"> {place.who}</span>
        </ActLink>
        {(dated || undated) && (
          <span className="ml-3">
            <ActLink
              to={href('/staff/enrolments/:reference/places/:placeId/transfer', { reference, placeId: String(id) })}
            >
              {dated ? 'Move' : 'Give it a date'}
              <span className="sr-only"> the place of {place.who}</span>
            </ActLink>
          </span>
        )}
      </OnlyWith>
      {!undated && (
        <OnlyWith permission="certificates:issue">
          <span className="ml-3">
            <ActLink to={href('/staff/places/:placeId/certificate', { placeId: String(id) })}>
              Certificate
              <span className="sr-only"> of {place.who}</span>
            </ActLink>
          </span>
        </OnlyWith>
      )}
    </>
  );
}
