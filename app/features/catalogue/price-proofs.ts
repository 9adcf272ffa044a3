/** The values of the ledger for the proof of an original price. The brief is a source and no proof (P47). */
export const theBrief = 'the brief';
/** It was charged for four weeks within the six months before, by the periods of the ledger. */
export const theLedger = 'the ledger';
