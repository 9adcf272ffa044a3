/** What stands in the ledger as proof of an original price: the brief is a source and no proof (P47). */
export const theBrief = 'the brief';
/** It was charged for four weeks within the six months before, as periods of the ledger show. */
export const theLedger = 'the ledger';
