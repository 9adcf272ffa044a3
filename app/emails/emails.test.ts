import { describe, expect, test } from 'vitest';
import { type MailContent, renderMail } from './layout.tsx';
import { mailSamples } from './samples.ts';

/** What a reader sees of HTML, without its spaces. */
function wordsOf(html: string): string {
  const body = html.slice(html.indexOf('<body'));
  const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replace(/^mailto:/, ''));
  const text = `${body.replace(/<div data-preheader.*?<\/div>|<\/?span[^>]*>/g, '').replace(/<[^>]+>/g, ' ')} ${links.join(' ')}`;
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ');
}

describe.each(Object.entries(mailSamples))('%s', (_kind, sample) => {
  const { subject, html, text } = sample();

  test('says the same in HTML and in text', () => {
    const words = wordsOf(html);
    const missing = text
      .split('\n')
      .map((line) => line.replace(/^> |^-- $/, '').trim())
      .flatMap((line) => line.split(/(?<=^[\w /]{1,40}:) |:$/))
      .filter((piece) => piece !== '' && !words.includes(piece.replace(/:$/, '').replace(/\s+/g, ' ')));
    expect(missing).toEqual([]);
    const textWords = text.replace(/\s+/g, ' ');
    const inHtmlOnly = [...html.matchAll(/<(h1|h2|p|td|th|a)[^>]*>([^<]+)</g)]
      .map(([, , words = '']) => wordsOf(`<body${words}`).replace('<body', '').trim())
      .filter((piece) => piece !== '' && !textWords.includes(piece));
    expect(inHtmlOnly).toEqual([]);
  });

  test('has one line of preview before all else, which the subject does not say already', () => {
    const previews = [...html.matchAll(/<div data-preheader[^>]*>(.*?)<\/div>/gs)].map(([, words = '']) => words);
    expect(previews).toHaveLength(1);
    const [words = ''] = (previews[0] ?? '').split('\u034f');
    expect(words.length).toBeGreaterThan(15);
    expect(words).not.toBe(subject);
    expect(html).toMatch(/<body[^>]*><div data-preheader/);
  });

  test('shows a state that can be', () => {
    const whole = `${subject}\n${text}`;
    // Before a date is confirmed nothing is due, nobody is reminded and there is no way in (P39).
    if (whole.includes('Goes ahead once')) expect(whole).not.toMatch(/Please pay|is due|Reminder|How to join/);
    // An attendee reads of their own place.
    if (whole.includes('/place/')) expect(whole).not.toContain('to be named');
    // Another day is a move, about which buyers are asked.
    const [, days] = /^(\d.* 2025)$/m.exec(text) ?? [];
    if (subject.startsWith('Changed: ')) expect(text).toContain(`Instead of: ${days}`);
    const references = text.match(/^Reference: BB-\w{6}$/gm) ?? [];
    expect(new Set(references).size).toBe(references.length);
  });

  test('has one button at most', () => {
    expect(html.split('class="button"').length - 1).toBeLessThanOrEqual(1);
  });

  test('has each amount, day and link in both forms', () => {
    const facts =
      /AU\$[\d,.]*\d|\d{1,2} (?:January|August|September|October|Sept)\b(?: \d{4})?|BB-\w{6}|(?:INV|ADJ)-\d+/g;
    const factsOf = (words: string) => [...new Set(words.match(facts) ?? [])].sort();
    expect(factsOf(text)).toEqual(factsOf(wordsOf(html)));
    const linked = [...html.matchAll(/href="(?!mailto:)([^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    expect(linked.filter((href) => !text.includes(href))).toEqual([]);
  });

  test('names the company that writes and its ABN', () => {
    for (const form of [html, text]) {
      expect(form.replaceAll('\u00a0', ' ')).toContain('Bowerbird Academy Pty Ltd, ABN 89 000 000 019');
    }
  });

  test('needs nothing from elsewhere, has a dark scheme and an honest subject', () => {
    expect(html).not.toMatch(/<(img|script|link|iframe)|url\(|@import/);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(subject.length).toBeLessThanOrEqual(78);
    expect(subject).not.toMatch(/[!\n]/);
    // One sentence: "Exercise: not yet: Threat Intelligence" has to be read twice.
    expect(subject).not.toMatch(/[?.]:|: .*: /);
    expect(text).not.toMatch(/undefined|null|\[object/);
  });
});

test('what people typed stays text', () => {
  const content: MailContent = {
    subject: 'Subject',
    heading: 'Heading',
    parts: [
      { quote: '<b>one</b>\ntwo' },
      'three\n<b>four</b>',
      {
        facts: [
          ['Name', '<i>Ada</i>'],
          ['When', '9:00 AM'],
        ],
      },
    ],
    academy: {
      name: 'A',
      company: 'A Pty Ltd',
      address: 'B',
      phone: 'C',
      email: 'd@example.com',
      url: 'https://academy.example',
    },
    reason: 'Why.',
  };
  const { html, text } = renderMail(content);
  expect(html).toContain('&lt;b&gt;one&lt;/b&gt;<br/>two');
  expect(html).toContain('three<br/>&lt;b&gt;four&lt;/b&gt;');
  expect(html).toContain('9:00\u00a0AM');
  expect(html).toContain('&lt;i&gt;Ada&lt;/i&gt;');
  expect(text).toContain('> <b>one</b>\n> two\n\nthree\n<b>four</b>\n\nName: <i>Ada</i>\nWhen: 9:00 AM\n');
});

test.each(['enrolment-placed', 'invoice-copy', 'payment-reminder'])(
  'P29: %s says first how much is to pay, and then where to',
  (kind) => {
    const text = mailSamples[kind]?.().text ?? '';
    const [, lead = ''] = text.split('\n\n');
    expect(lead).toMatch(/Please pay AU\$[\d,]+ incl\. GST/);
    for (const fact of ['BSB: 000-000', 'Account: 000000000', 'Payment reference: INV00042 BB7KQ2MX'])
      expect(text).toContain(fact);
  },
);

test.each([
  ['enrolment-placed', 'Enrolled: CISSP Bootcamp, 13 October (BB-7KQ2MX)'],
  ['payment-reminder', 'Payment is overdue: CISSP Bootcamp, 13 October (BB-7KQ2MX)'],
  ['invoice-copy', 'Tax invoice INV-00042: CISSP Bootcamp, 13 October (BB-7KQ2MX)'],
  ['buyer-corrected', 'Corrected tax invoice: CISSP Bootcamp (BB-7KQ2MX)'],
  ['accounts-documents', 'Tax invoices so far: CISSP Bootcamp (BB-7KQ2MX)'],
])('the subject of %s says what happened, the course and its first day', (kind, subject) => {
  expect(mailSamples[kind]?.().subject).toBe(subject);
});

test('a mail about several places speaks of several', () => {
  expect(mailSamples['place-cancelled-several']?.().text).toMatch(
    /^Some places are cancelled\n\nWe have cancelled the places below\.\n/,
  );
  expect(mailSamples['place-moved']?.().text).toContain('We have moved the place below to this date.');
});

test('mails to the academy do not say how to reach it, all others do', () => {
  const silent = Object.entries(mailSamples).filter(([, sample]) => !sample().text.includes('\nQuestions?'));
  expect(silent.map(([kind]) => kind).sort()).toEqual([
    'absence-notice',
    'backup-fault',
    'booking-notice',
    'class-cancelled',
    'class-changed',
    'class-given',
    'class-taken',
    'comes-after-all',
    'conversation-notice',
    'course-date-notice',
    'enquiry-message',
    'job-fault',
    'role-granted',
    'role-taken',
    'settings-changed',
  ]);
});

test('P49: the mails about a form that asks about news, and no others, lead to the page that shows and withdraws consent', () => {
  const leading = Object.keys(mailSamples).filter((kind) =>
    /withdraw your consent/.test(mailSamples[kind]?.().text ?? ''),
  );
  expect(leading).toEqual(['contact-acknowledgement', 'enrolment-acknowledgement']);
});
