/** How many enrolments a payment can be divided among on its page. */
export const mostShares = 8;

/** The label of why a payment is set aside. */
export const whyAside = 'What it is';

/** The labels of a payment's fields, for the list of faults. */
export const shareLabels: Readonly<Record<string, string>> = Object.fromEntries([
  ['why', whyAside],
  ...[...Array(mostShares).keys()].flatMap((at) => [
    [`to${at}`, `Enrolment ${at + 1}`],
    [`amount${at}`, `Amount ${at + 1}`],
  ]),
]);
