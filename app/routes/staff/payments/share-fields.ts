/** How many enrolments a payment can be divided among on its page. */
export const mostShares = 8;

/** What the fields of a share are called, for the list of what was refused. */
export const shareLabels = Object.fromEntries(
  [...Array(mostShares).keys()].flatMap((at) => [
    [`to${at}`, `Enrolment ${at + 1}`],
    [`amount${at}`, `Amount ${at + 1}`],
  ]),
);
