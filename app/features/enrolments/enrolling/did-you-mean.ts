import type { FormValues } from '#app/ui/form-state.ts';

/** The button that takes the address that was probably meant. */
export const takeMeant = 'use-meant';

/** The typed payer with the address that was probably meant. */
export const withMeantAddress = (values: FormValues): FormValues => {
  const { email = '' } = values;
  return { ...values, email: didYouMean(email) ?? email };
};

/** Where many Australians have their address. */
const known = [
  'gmail.com',
  'hotmail.com',
  'hotmail.com.au',
  'outlook.com',
  'outlook.com.au',
  'live.com.au',
  'yahoo.com',
  'yahoo.com.au',
  'icloud.com',
  'bigpond.com',
  'bigpond.net.au',
  'optusnet.com.au',
  'iinet.net.au',
  'protonmail.com',
];

/** Real domains that look like a misspelling of one of those. */
const alsoReal = ['mail.com', 'email.com', 'ymail.com', 'gmx.com', 'yahoo.com.ar', 'hotmail.com.ar', 'outlook.com.ar'];

/**
 * The address that was probably meant: `ada@gmail.com` for `ada@gmial.com`; null when nothing is wrong with it. One
 * letter too many, missing, wrong, or two exchanged. Only a remark: the address may be right.
 */
export function didYouMean(email: string): string | null {
  const at = email.lastIndexOf('@');
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || known.includes(domain) || alsoReal.includes(domain)) return null;
  const meant = known.find((one) => isOneSlipFrom(domain, one));
  return meant ? `${email.slice(0, at).trim()}@${meant}` : null;
}

/** Whether one letter is too many, missing, wrong or exchanged with the next. */
function isOneSlipFrom(typed: string, meant: string): boolean {
  const start = [...meant].findIndex((letter, at) => typed[at] !== letter);
  const from = start < 0 ? meant.length : start;
  const [rest, wanted] = [typed.slice(from), meant.slice(from)];
  return (
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted.slice(1) ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  );
}
