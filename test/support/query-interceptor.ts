export interface Query {
  text: string;
  values: unknown[];
  /** The database's own statement. */
  statement: D1PreparedStatement;
}

/** Runs instead of a call with its queries (a batch has several); `proceed` sends them. */
export type QueryInterceptor = (queries: Query[], proceed: () => unknown) => unknown;

/** Intercepts every query to the database, also those in D1 sessions. */
export function interceptQueries<Target extends D1Database | D1DatabaseSession>(
  database: Target,
  intercept: QueryInterceptor,
): Target {
  const known = new WeakMap<D1PreparedStatement, Query>();

  const prepared = (query: Query): D1PreparedStatement => {
    const { statement, text } = query;
    const wrap = wrapMethods(statement, (name, call) => {
      if (name === "bind")
        return (...values) => prepared({ text, values, statement: call(...values) as D1PreparedStatement });
      return (...args) => intercept([query], () => call(...args));
    });
    known.set(wrap, query);
    return wrap;
  };

  const wrap = <Source extends D1Database | D1DatabaseSession>(source: Source): Source =>
    wrapMethods(source, (name, call) => {
      if (name === "withSession") return (...args) => wrap(call(...args) as D1DatabaseSession);
      if (name === "prepare") {
        return (text) => prepared({ text: String(text), values: [], statement: call(text) as D1PreparedStatement });
      }
      if (name !== "batch") return call;
      return (statements) => {
        const queries = (statements as D1PreparedStatement[]).map(
          (statement) => known.get(statement) ?? { text: "", values: [], statement },
        );
        return intercept(queries, () => source.batch(queries.map(({ statement }) => statement)));
      };
    });
  return wrap(database);
}

type Call = (...args: unknown[]) => unknown;

/** The object with each method replaced by the result of `replace`. */
export function wrapMethods<Target extends object>(
  target: Target,
  replace: (name: string | symbol, call: Call) => Call,
): Target {
  return new Proxy(target, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return replace(name, (...args) => Reflect.apply(value, target, args) as unknown);
    },
  });
}
