/** The values of the ledger for the proof of an original price. The brief is a source and no proof (P47). */
export const theBrief = 'the brief';
/** It was charged for four weeks within the six months before, as periods of the ledger show. */
export const theLedger = 'the ledger';
