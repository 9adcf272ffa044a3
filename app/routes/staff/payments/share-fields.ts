/** How many enrolments a payment can be divided among on its page. */
export const mostShares = 8;

/** The labels of a share's fields, for the list of faults. */
export const shareLabels = Object.fromEntries(
  [...Array(mostShares).keys()].flatMap((at) => [
    [`to${at}`, `Enrolment ${at + 1}`],
    [`amount${at}`, `Amount ${at + 1}`],
  ]),
);
