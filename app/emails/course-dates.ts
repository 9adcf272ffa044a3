import { nameWithin } from '#app/lib/short-name.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type CourseDateNoticeProps = {
  /** Names the matter in the subject, such as "Below its minimum". */
  matter: string;
  /** Title and days of the course date. */
  course: string;
  when: string;
  /** The matter and what staff can do, a paragraph each. */
  text: readonly string[];
  link: string;
  academy: MailAcademy;
};

/** Tells staff that a course date waits for their decision, or for something that only they know. */
export function courseDateNotice({ matter, course, when, text, link, academy }: CourseDateNoticeProps): RenderedMail {
  return renderMail({
    subject: `${matter}: ${nameWithin(course, 78 - `${matter}: , ${when}`.length)}, ${when}`,
    heading: matter,
    parts: [{ panel: course, lines: [when] }, ...text, { action: 'Open the course date', href: link }],
    academy,
    toStaff: true,
    preheader: text.join(' '),
    reason: 'The website sends this to the academy once for each course date.',
  });
}

type CourseDateMessageProps = {
  /** In the words of staff, filled in. */
  subject: string;
  /** A text over several lines; an empty line ends a paragraph. */
  text: string;
  course: string;
  when: string;
  /** The person's own page, and what its button says. */
  link: string;
  button: string;
  /** Why they get it. */
  reason: string;
  /** Only of news and offers: the page that ends them. */
  unsubscribe?: string;
  academy: MailAcademy;
};

/** A message of staff to the people of a course date (P80). */
export function courseDateMessage({
  subject,
  text,
  course,
  when,
  link,
  button,
  reason,
  unsubscribe,
  academy,
}: CourseDateMessageProps): RenderedMail {
  return renderMail({
    subject,
    heading: subject,
    parts: [
      ...text.split(/\n{2,}/).filter((part) => part.trim() !== ''),
      { panel: course, lines: [when] },
      { action: button, href: link },
    ],
    preheader: [text.replace(/\s+/g, ' ').trim().slice(0, 150), course, when].join(' '),
    academy,
    reason,
    ...(unsubscribe && { unsubscribe }),
  });
}

const headings = {
  given: 'You teach this class',
  taken: 'No longer your class',
  changed: 'Your class has changed',
  cancelled: 'Your class is cancelled',
};

type ClassChangedProps = {
  change: keyof typeof headings;
  course: string;
  /** `12 to 16 October`: the days as its subject names them. */
  days: string;
  /** Days, times and where, as they are now. */
  when: string;
  /** The same as they were; null when they did not change. */
  before: string | null;
  /** The new instructor. */
  instructor: string;
  /** How many people are in it. */
  people: number;
  /** The words of staff for everybody in it; null for none. */
  reason: string | null;
  /** The class's page for staff. */
  link: string;
  academy: MailAcademy;
};

/** Tells an instructor what staff changed about a class that is theirs, or was (P59). */
export function classChanged(props: ClassChangedProps): RenderedMail {
  const { change, course, days, when, before, instructor, people, reason, link, academy } = props;
  const heading = headings[change];
  const enrolled = people === 1 ? '1 person is enrolled.' : `${people} people are enrolled.`;
  const said = {
    given: `${enrolled} The class page has their names, what they need, and the marks so far. You mark attendance there from now on.`,
    taken: `${instructor} teaches it now. You no longer see this class or mark its attendance. Tell the office what you have not marked yet.`,
    changed: `${enrolled} We have told them.`,
    cancelled: `The class is cancelled. ${people > 0 ? 'We have told everybody who is enrolled.' : 'Nobody was enrolled.'}`,
  };
  return renderMail({
    subject: `${heading}: ${nameWithin(course, 78 - `${heading}: , ${days}`.length)}, ${days}`,
    heading,
    toStaff: true,
    parts: [
      { panel: course, lines: [when] },
      ...(before ? [{ facts: [['Before', before]] as [string, string][] }] : []),
      said[change],
      ...(reason ? [{ quote: reason }] : []),
      ...(change === 'given' || change === 'changed' ? [{ action: 'Open the class', href: link }] : []),
    ],
    academy,
    reason: 'You get this because you teach this class, or taught it until now.',
  });
}

type LiveHourChangedProps = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  instructor: string;
  change: 'set' | 'link' | 'off' | 'ended';
  /** Set: the weekday and times. Off: the day. Ended: the last day on which it may be held. */
  when?: string;
  /** Why it is not held on a day, in the words of staff. */
  reason?: string;
  /** The day on which it is held after that one; null when there is none for the reader. */
  next?: string | null;
  /** The attendee's page, which has the link to the hour: mails do not (P60). */
  link: string;
  academy: MailAcademy;
};

/** Tells somebody who studies in their own time that the live hour of their course begins, changes or ends (P60). */
export function liveHourChanged({
  reference,
  course,
  instructor,
  change,
  when = '',
  reason = '',
  next = null,
  link,
  academy,
}: LiveHourChangedProps): RenderedMail {
  const words = {
    set: {
      subject: 'Your live hour',
      heading: 'A live hour each week',
      said: `${instructor} holds a live hour online for ${course}: ${when}. It is not held on public holidays.`,
      more: 'Bring questions, and what you have to show or defend. You do not have to come.',
    },
    link: {
      subject: 'Live hour, new link',
      heading: 'Your live hour has a new link',
      said: `The live hour of ${course} has a new link. The days and times stay the same.`,
      more: 'The old link no longer works. If you saved the live hours in your calendar, download the calendar file again.',
    },
    off: {
      subject: 'No live hour',
      heading: `No live hour on ${when}`,
      said: `The live hour of ${course} is not held on ${when}. ${reason}`,
      more: next ? `The next one after that is on ${next}.` : 'It was the last one planned.',
    },
    ended: {
      subject: 'Live hour ends',
      heading: 'The live hour ends',
      said: `The live hour of ${course} ends. There is none after ${when}.`,
      more: 'Your modules stay open as before. If another live hour is set, we will email you.',
    },
  }[change];
  return renderMail({
    subject: subjectOf(words.subject, { title: course, reference }),
    heading: words.heading,
    parts: [
      words.said,
      words.more,
      change === 'ended'
        ? 'If you saved the live hours in your calendar, the file on the page of your place takes out those that are not held.'
        : 'The link and a calendar file are on the page of your place.',
      { action: 'See your place', href: link },
    ],
    academy,
    reason: 'You get this because you study this course with us in your own time.',
  });
}

type CourseFollowUpProps = {
  title: string;
  /** Who asked their employer. */
  asker: string;
  /** The three lines of the request. */
  lines: readonly string[];
  /** Whether it goes to whoever asked, or to the employer. */
  to: 'asker' | 'employer';
  /** Where the answer is typed. */
  link: string;
  academy: MailAcademy;
};

/** Thirty days after a course: the lines of the request, and one question (P113). */
export function courseFollowUp({ title, asker, lines, to, link, academy }: CourseFollowUpProps): RenderedMail {
  const own = to === 'asker';
  return renderMail({
    subject: own ? `What came of ${title}?` : `What came of ${title} for ${asker}?`,
    heading: 'One month on',
    parts: [
      own
        ? `A month ago you finished ${title}. This is what you told your employer:`
        : `A month ago ${asker} finished ${title}, which you paid for. This is what they had told you:`,
      { panel: own ? 'Your request' : 'The request', lines },
      own ? 'One question: what have you done with it?' : 'One question: what has it changed?',
      { action: 'Answer in a line or two', href: link },
      'No answer is fine. We read what you write and show it to nobody outside the academy.',
    ],
    academy,
    reason: own
      ? 'You get this once because your employer accepted the request you made on our website.'
      : 'You get this once because you were asked for this course on our website and the request was accepted.',
  });
}
