/** The faults of a calendar file or part by RFC 5545 and 5546; none for a good one. */
export function calendarFaults(text: string): string[] {
  const faults: string[] = [];
  if (!text.endsWith('END:VCALENDAR\r\n')) faults.push('does not end with CRLF');
  if (/[^\r]\n|\r[^\n]/.test(text)) faults.push('has a line break that is not CRLF');
  for (const line of text.split('\r\n')) {
    if (Buffer.byteLength(line) > 75) faults.push(`${Buffer.byteLength(line)} octets in a line: ${line.slice(0, 30)}`);
  }
  const [head = '', ...events] = unfolded(text).split('BEGIN:VEVENT\r\n');
  for (const name of ['VERSION', 'PRODID', 'METHOD']) if (!firstOf(head, name)) faults.push(`no ${name}`);
  for (const event of events) {
    for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'SUMMARY', 'ORGANIZER', 'SEQUENCE', 'STATUS']) {
      if (countOf(event, name) !== 1) faults.push(`${countOf(event, name)} of ${name}`);
    }
    // A published event names no attendee; one that asks or takes back names whom (RFC 5546, 3.2).
    const attendees = countOf(event, 'ATTENDEE');
    if ((firstOf(head, 'METHOD') === 'PUBLISH') !== (attendees === 0)) faults.push(`${attendees} of ATTENDEE`);
  }
  return faults;
}

/** The values of a property, in order, with folded lines put together. */
export function valuesOf(text: string, name: string): string[] {
  return [...unfolded(text).matchAll(new RegExp(`^${name}(?:;[^:\\r]*)?:(.*)\\r$`, 'gm'))].map(
    ([, value = '']) => value,
  );
}

const unfolded = (text: string) => text.replaceAll(/\r\n[ \t]/g, '');
const firstOf = (text: string, name: string) => valuesOf(text, name)[0];
const countOf = (text: string, name: string) => valuesOf(text, name).length;
