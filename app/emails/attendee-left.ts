import { type CourseInWords, courseParts } from './enrolment-placed.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** Whether the place goes to somebody else, or the same person is no longer written to at this address. */
  why: keyof typeof words;
  reference: string;
  course: CourseInWords;
  /** Whether an entry of the place is in the recipient's calendar. */
  calendar: boolean;
  academy: MailAcademy;
};

const words = {
  'other-person': {
    subject: 'No longer your place',
    heading: 'Your place goes to somebody else',
    lead: 'You no longer have the place below: it goes to somebody else. You don’t need to do anything.',
    more: [],
    entry: 'The attached entry removes the dates from your calendar.',
  },
  'other-address': {
    subject: 'No more emails',
    heading: 'We no longer write to this address',
    lead: 'We no longer write to this address about the place below. The place stays as it is.',
    more: ['If you attend, the person who enrolled you can tell you what you need to know.'],
    entry: 'The entry in your calendar stays, but we can no longer update it.',
  },
} as const;

/** Tells the former address of an attendee what happened to their place (P40). It has no link to a page any more. */
export function attendeeLeft({ why, reference, course, calendar, academy }: Props): RenderedMail {
  const { subject, heading, lead, more, entry } = words[why];
  return renderMail({
    subject: subjectOf(subject, { title: course.title, day: course.starts, reference }),
    heading,
    parts: [
      lead,
      ...more,
      ...courseParts(course),
      { note: [...(calendar ? [entry] : []), `Reference ${reference}.`].join(' ') },
    ],
    academy,
    reason: 'You get this because this address belonged to the enrolment.',
  });
}
