const marks = { present: 'Here', absent: 'Absent', excused: 'Excused' };

export type Marked = { mark: keyof typeof marks | null; minutesLate: number; minutesLeftEarly: number };

/** `Here, 10 min late`; '' while nobody marked it. */
export function markInWords({ mark, minutesLate, minutesLeftEarly }: Marked): string {
  if (mark === null) return '';
  return [
    marks[mark],
    minutesLate > 0 && `${minutesLate} min late`,
    minutesLeftEarly > 0 && `left ${minutesLeftEarly} min early`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** A mark as one text, by which a form says what its page showed. */
export const markAsText = ({ mark, minutesLate, minutesLeftEarly }: Marked): string =>
  `${mark ?? 'none'} ${minutesLate} ${minutesLeftEarly}`;

type Sent = Readonly<Record<string, unknown>>;

/** The mark of a person in the fields of a form that was sent; null for "Not marked". Minutes count only of who came. */
export function sentMark(sent: Sent, placeId: number): (Marked & { mark: keyof typeof marks }) | null {
  const field = (name: string) => String(sent[`${name}-${placeId}`] ?? '');
  const mark = field('mark');
  if (mark !== 'present' && mark !== 'absent' && mark !== 'excused') return null;
  const minutes = (name: string) => (mark === 'present' ? minutesIn(field(name)) : 0);
  return { mark, minutesLate: minutes('late'), minutesLeftEarly: minutes('early') };
}

/** An empty text is 0; a text that is no number counts as more minutes than a day has, so it is refused. */
const minutesIn = (text: string): number => (/^\d{0,4}$/.test(text.trim()) ? Number(text) : 9999);

/** Whether the form changed the mark that its page showed. */
export function isChanged(sent: Sent, placeId: number): boolean {
  const mark = sentMark(sent, placeId);
  return mark !== null && markAsText(mark) !== sent[`was-${placeId}`];
}
