/** A picture and the same figures as a table. Whoever shows it puts a title above it and lets readers switch. */
export interface Chart {
  /** One sentence: what the picture says. It is the accessible name of the picture as well. */
  readonly title: string;
  /** An `svg` element. All text in it is escaped. */
  readonly svg: string;
  readonly table: ChartTable;
}

export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ChartFrame {
  /** In CSS pixels: text has the same size on every screen, so a chart is drawn for its width. */
  readonly width: number;
  /** BCP 47; for numbers. */
  readonly locale: string;
}
