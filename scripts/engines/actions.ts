/** Acts as WebDriver and WebDriver BiDi both write them. */
type Action = { type: string; [key: string]: unknown };
type Source = { type: string; id: string; parameters?: { pointerType: string }; actions: Action[] };

/** A press of the mouse's main button at a place of the window. */
export const mousePress = (x: number, y: number): Source[] => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
];

/** Keys pressed one after the other; a new line is Enter. */
export const keyPresses = (text: string): Source[] => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((letter) => {
      const value = letter === '\n' ? '\uE007' : letter;
      return [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ];
    }),
  },
];
