import { nameWithin } from '#app/lib/short-name.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

const headings = {
  given: 'You teach this class',
  taken: 'No longer your class',
  changed: 'Your class has changed',
  cancelled: 'Your class is cancelled',
};

type Props = {
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
export function classChanged(props: Props): RenderedMail {
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
