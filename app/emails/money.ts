import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

/**
 * Money that moved: received, sent back, taken back by the bank it came from, or taken off the enrolment again because it
 * was put there by mistake.
 */
export type MoneyMoved = {
  kind: 'payment' | 'refund' | 'taken-back' | 'withdrawn';
  amount: string;
  day: string;
  how: string;
};

type MoneyReceiptProps = {
  reference: string;
  title: string;
  moved: readonly MoneyMoved[];
  /** Sentences that say what the buyer still owes, or that they owe nothing. */
  still: readonly string[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

const words = {
  payment: { subject: 'Payment received', heading: 'We have received your payment', label: 'Received' },
  refund: { subject: 'Refund sent', heading: 'We have sent you a refund', label: 'Refunded' },
  'taken-back': { subject: 'Payment taken back', heading: 'Your bank has taken a payment back', label: 'Taken back' },
  withdrawn: { subject: 'Payment corrected', heading: 'We have corrected a payment', label: 'Not counted' },
};

/** Says which money came in or went back, and what the buyer still owes (P39). */
export function moneyReceipt({ reference, title, moved, still, link, academy }: MoneyReceiptProps): RenderedMail {
  const kinds = [...new Set(moved.map(({ kind }) => kind))];
  const [kind] = kinds;
  const { subject, heading } =
    kind && kinds.length === 1
      ? words[kind]
      : { subject: 'Payments and refunds', heading: 'What has changed about your payments' };
  const parts: MailPart[] = [
    ...still,
    {
      facts: [
        ['Enrolment', title],
        ...moved.map((one) => [words[one.kind].label, `${one.amount}, ${one.day}, ${one.how}`] as const),
        ['Reference', reference],
      ],
    },
  ];
  if (kinds.includes('withdrawn')) {
    parts.push('We added a payment to this enrolment by mistake. It no longer counts for this enrolment.');
  }
  if (kinds.includes('taken-back')) {
    parts.push(
      'The bank has taken a payment back from us, so it no longer counts. If you do not know why, ask your bank.',
    );
  }
  if (kinds.includes('refund'))
    parts.push('A refund goes to where the money came from. Your bank may take a few days.');
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  return renderMail({
    subject: subjectOf(subject, { title, reference }),
    heading,
    preheader: [`${moved.map(({ amount, day }) => `${amount}, ${day}`).join('. ')}.`, ...still].join(' '),
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}

type PaymentReminderProps = {
  reference: string;
  title: string;
  /** The first day of the course, `13 October`; null without one. */
  starts: string | null;
  /** The invoices that are due, each with its sum and day in words. */
  invoices: readonly { number: string; owed: string; due: string; overdue: boolean }[];
  /** The sum due on all invoices, in words. */
  owed: string;
  /** The part of it that the bank of a card took back, in words; null for none. */
  takenBack: string | null;
  /** The account, and the payment reference of the invoice that is due first, a name and a value each. */
  pay: readonly (readonly [name: string, value: string])[];
  link: string;
  academy: MailAcademy;
};

/** Reminds the buyer of unpaid invoices. The program cancels nothing for want of payment (P39). */
export function paymentReminder(props: PaymentReminderProps): RenderedMail {
  const { reference, title, starts, invoices, owed, takenBack, pay, link, academy } = props;
  const overdue = invoices.some((invoice) => invoice.overdue);
  const attached = invoices.length > 1 ? 'The tax invoices are attached.' : 'The tax invoice is attached.';
  return renderMail({
    subject: subjectOf(overdue ? 'Payment is overdue' : 'Payment is due soon', { title, day: starts, reference }),
    heading: takenBack
      ? 'The bank of your card took your payment back'
      : overdue
        ? 'We have not seen your payment yet'
        : 'Your payment is due soon',
    parts: [
      ...(takenBack ? [`The bank of the card took ${takenBack} back, so it is not paid any more.`] : []),
      lead(invoices, owed),
      {
        facts: [
          ['Enrolment', title],
          ...invoices.map(
            (invoice) =>
              [
                'Tax invoice',
                `${invoice.number}, ${invoice.owed} incl. GST, ${invoice.overdue ? 'was due on' : 'due by'} ${invoice.due}`,
              ] as const,
          ),
          ...(invoices.length > 1 ? [['Together', `${owed} incl. GST`] as const] : []),
          ['Reference', reference],
        ],
      },
      { heading: 'Pay by bank transfer' },
      { facts: pay },
      ...(academy.byCard
        ? [{ note: 'You can also pay by card: open your enrolment and press the button there.' }]
        : []),
      { note: `${attached} If you paid in the last few days, please ignore this email.` },
      { action: 'Open your enrolment', href: link },
      {
        note: 'We do not cancel your place without writing to you first. If paying is difficult, reply to this email, and we’ll look for a way together.',
      },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}

/** The amount owed and its day. Overdue amounts are asked for now. */
function lead(invoices: PaymentReminderProps['invoices'], owed: string): string {
  const [first] = invoices;
  const several = invoices.length > 1;
  if (invoices.every(({ overdue }) => overdue)) {
    return several
      ? `${owed} incl. GST is overdue. Please pay it now.`
      : `${owed} incl. GST was due on ${first?.due ?? ''}. Please pay it now.`;
  }
  if (!several) return `Please pay ${owed} incl. GST by ${first?.due ?? ''}.`;
  return invoices.some(({ overdue }) => overdue)
    ? `Please pay ${owed} incl. GST. Part of it is overdue.`
    : `Please pay ${owed} incl. GST, each tax invoice by its day.`;
}

type InstalmentsAgreedProps = {
  reference: string;
  title: string;
  /** The tax invoice. */
  number: string;
  /** False: an agreement ended, and the amounts are due as the invoice says. */
  agreed: boolean;
  /** A date is not confirmed yet, so nothing is due before it is. */
  waits: boolean;
  /** Days and amounts in words, the first one first. */
  instalments: readonly { day: string; amount: string }[];
  /** The account and the payment reference, a name and a value each. */
  pay: readonly (readonly [name: string, value: string])[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

/** Tells the buyer by which instalments an invoice is paid, or that it is paid as it says (P83). */
export function instalmentsAgreed(props: InstalmentsAgreedProps): RenderedMail {
  const { reference, title, number, agreed, waits, instalments, pay, link, academy } = props;
  const parts: MailPart[] = [
    agreed
      ? `You pay tax invoice ${number} in the amounts below. The invoice itself does not change, and we charge nothing for this.`
      : `The agreement on instalments for tax invoice ${number} has ended. The invoice is due as it says.`,
    {
      facts: [
        ...instalments.map(({ day, amount }) => [`By ${day}`, `${amount} incl. GST`] as const),
        ['Enrolment', title] as const,
        ['Reference', reference] as const,
      ],
    },
  ];
  if (waits) parts.push('Nothing is due before we have confirmed the course date.');
  parts.push({ heading: 'Pay by bank transfer' }, { facts: pay });
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  parts.push({
    note: 'We remind you before each day, or after it if nothing has come. If something is wrong, please reply to this email.',
  });
  return renderMail({
    subject: subjectOf(agreed ? `Instalments for ${number}` : `Due date of ${number}`, { title, reference }),
    heading: agreed ? 'You pay in instalments' : 'You pay the invoice by its due date',
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}

type AdjustmentNoteProps = {
  reference: string;
  title: string;
  /** Each note with the invoice that it lowers. */
  notes: readonly { number: string; invoice: string; total: string; reason: string }[];
  /** Sentences that say what the buyer still owes, or that they owe nothing. */
  still: readonly string[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends adjustment notes, which lower what was invoiced (P30). */
export function adjustmentNoteIssued({
  reference,
  title,
  notes,
  still,
  link,
  academy,
}: AdjustmentNoteProps): RenderedMail {
  const several = notes.length > 1;
  const parts: MailPart[] = [
    several
      ? 'We have lowered what you pay for this enrolment. The adjustment notes are attached.'
      : 'We have lowered what you pay for this enrolment. The adjustment note is attached.',
    ...still,
    {
      facts: [
        ['Enrolment', title],
        ...notes.map(
          ({ number, invoice, total, reason }) =>
            ['Adjustment note', `${number}, lowers ${invoice} by ${total} incl. GST: ${reason}`] as const,
        ),
        ['Reference', reference],
      ],
    },
  ];
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  parts.push({
    note: several ? 'Please keep the notes with the tax invoices.' : 'Please keep the note with the tax invoice.',
  });
  return renderMail({
    subject: subjectOf(several ? 'Adjustment notes' : `Adjustment note ${notes[0]?.number ?? ''}`, {
      title,
      reference,
    }),
    heading: several ? 'Your tax invoices are lower' : 'Your tax invoice is lower',
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}

type InvoiceCopyProps = {
  reference: string;
  title: string;
  /** The first day of the course, `13 October`; null without one. */
  starts: string | null;
  number: string;
  total: string;
  /** The sum that is due and its day, in a sentence. */
  due: string;
  /** The account to pay to, a name and a value each; empty when it is paid. */
  pay: readonly (readonly [name: string, value: string])[];
  /** The buyer's private page; null for the address that the organisation named. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends a tax invoice again to its buyer, or a copy to the address that the organisation named for invoices (P30). */
export function invoiceCopy({
  reference,
  title,
  starts,
  number,
  total,
  due,
  pay,
  link,
  academy,
}: InvoiceCopyProps): RenderedMail {
  return renderMail({
    subject: subjectOf(`Tax invoice ${number}`, { title, day: starts, reference }),
    heading: `Tax invoice ${number}`,
    parts: [
      due,
      {
        facts: [
          ['For', title],
          ['Total', `${total} incl. GST`],
          ['Reference', reference],
        ],
      },
      ...(pay.length > 0 ? [{ heading: 'Pay by bank transfer' }, { facts: pay }] : []),
      { note: 'The tax invoice is attached. Please quote its payment reference when you pay.' },
      ...(link ? [{ action: 'Open your enrolment', href: link }] : []),
    ],
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}

type AccountsAddressProps = { reference: string; link: string; academy: MailAcademy };

/** Asks the owner of an address whether we may send invoices there (P30). It repeats no text of the form. */
export function accountsAddress({ reference, link, academy }: AccountsAddressProps): RenderedMail {
  return renderMail({
    subject: `May we send invoices to this address? ${reference}`,
    heading: 'May we send invoices to this address?',
    parts: [
      `Someone who enrolled with ${academy.name} named this address for copies of the tax invoices. We send none before you agree.`,
      'If you agree, open the page and press its button. We then email you the tax invoices so far, and later ones.',
      { action: 'Agree to get the invoices', href: link },
    ],
    academy,
    reason:
      'You get this because a buyer named this address for invoices. If you do not expect any, do nothing: we send no invoices here.',
  });
}

type AccountsDocumentsProps = {
  reference: string;
  title: string;
  numbers: readonly { kind: 'Tax invoice' | 'Adjustment note'; number: string }[];
  /** Sentences that say what the buyer still owes. */
  still: readonly string[];
  academy: MailAcademy;
};

/** The documents of an enrolment so far, to an address that agreed to get its invoices (P30). */
export function accountsDocuments({ reference, title, numbers, still, academy }: AccountsDocumentsProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Tax invoices so far', { title, reference }),
    heading: 'Your copies of the tax invoices',
    parts: [
      'You agreed to get the tax invoices of this enrolment. All documents so far are attached.',
      ...still,
      {
        facts: [
          ['For', title],
          ...numbers.map(({ kind, number }) => [kind, number] as const),
          ['Reference', reference],
        ],
      },
      { note: 'Our bank details are on each tax invoice. Please quote the payment reference of the invoice you pay.' },
    ],
    academy,
    reason: 'You get this because you agreed to get the invoices of this enrolment.',
  });
}
