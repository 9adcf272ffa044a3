/** The labels of the fields of prices. */
export const priceLabels = {
  price: 'Price, AU$ with GST',
  again: 'The same price again',
  original: 'Original price, struck through',
  from: 'From the day',
  note: 'Note for staff',
  proof: 'What shows that it was charged',
  subject: 'What the discount is on',
  until: 'Ends at the end of',
} as const;
