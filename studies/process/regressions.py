"""Regressions: tables of R packages, Friedman's functions, and a table made messy."""

from __future__ import annotations

import numpy as np

from studies.data import regressions, sources
from studies.process.frames import Draw, Rows, levels, numbers

N_TEST = 1000


def auto() -> Rows:
    """Miles per gallon of cars: 392 rows, 7 inputs."""
    return numbers("ISLR", "Auto", "mpg", ["name"])


def sacramento() -> Rows:
    """Logarithms of house prices: 932 rows, 8 inputs, three of them the kind of house."""
    X, price = numbers("modeldata", "Sacramento", "price", ["city", "zip"])
    return X, np.log(price)


def hitters() -> Rows:
    """Salaries of players, with a heavy tail: 263 rows, 16 inputs, nearly all of them counts."""
    return numbers("ISLR", "Hitters", "Salary", ["League", "Division", "NewLeague"])


def college() -> Rows:
    """What students from other states pay: 777 rows, 17 inputs."""
    return numbers("ISLR", "College", "Outstate")


def carseats() -> Rows:
    """Sales of car seats by shop: 400 rows, 12 inputs, some of them categories."""
    return numbers("ISLR", "Carseats", "Sales")


def nox() -> Rows:
    """House prices of Boston by air and place: 506 rows, 8 inputs."""
    return numbers("wooldridge", "hprice2", "price", ["lprice", "lnox", "lproptax"])


def cpus() -> Rows:
    """Speed of processors, with a heavy tail: 209 rows, 6 inputs of unequal units."""
    return numbers("MASS", "cpus", "perf", ["name", "estperf"])


def bodies() -> Rows:
    """Weight of people by girths and diameters: 507 rows, 24 inputs, nearly linear."""
    return numbers("openintro", "bdims", "wgt")


def athletes() -> Rows:
    """Fat of athletes by their blood and size: 202 rows, 19 inputs with dummies of sports."""
    return numbers("DAAG", "ais", "pcBfat", ["ssf", "lbm"])


def ethanol() -> Rows:
    """Nitrous oxides of an engine: 88 rows, 2 inputs, one of them of five levels."""
    return numbers("lattice", "ethanol", "NOx")


def quakes() -> Rows:
    """How many stations felt an earthquake: 1000 rows, 4 inputs with offsets."""
    return numbers("datasets", "quakes", "stations")


def computers() -> Rows:
    """Prices of computers: 6259 rows, 9 inputs, most of them of few levels."""
    return numbers("Ecdat", "Computers", "price")


def diamonds() -> Rows:
    """Logarithms of prices of diamonds: 26 inputs, three categories among them."""
    X, price = numbers("ggplot2", "diamonds", "price")
    return X, np.log(price)


def houses() -> Rows:
    """Prices of houses: 1728 rows, 21 inputs, some of them dummies."""
    return numbers("mosaicData", "SaratogaHouses", "price")


def wages() -> Rows:
    """Wages, of which little can be known: 3000 rows, inputs mostly dummies; one is constant."""
    return numbers("ISLR", "Wage", "wage", ["logwage"])


def power() -> Rows:
    """Logarithms of the cost of power stations: 158 rows, 7 inputs, hardly any noise."""
    X, cost = numbers("AER", "Electricity1970", "cost")
    return X, np.log(cost)


def schools() -> Rows:
    """Scores of schools by what they have: 420 rows, 8 inputs."""
    return numbers("AER", "CASchools", "math", ["district", "school", "county", "grades", "read"])


def wafers() -> Rows:
    """Current by voltage on 10 wafers at 8 places: 400 rows, 19 inputs, 18 of them dummies."""
    table, current = numbers("nlme", "Wafer", "current")
    dummies = [levels(table[:, k].astype(int).astype(str)) for k in (0, 1)]
    return np.hstack([table[:, 2:], *dummies]), current


def solder() -> Rows:
    """Faults of soldering: 900 rows, 20 inputs, all but one dummies; counts with many zeros."""
    return numbers("rpart", "solder", "skips")


def deliveries() -> Rows:
    """Minutes until a meal is there: 36 inputs, of which 27 count dishes."""
    return numbers("modeldata", "deliveries", "time_to_delivery")


def cars() -> Rows:
    """Prices of used cars: 804 rows, 17 inputs; dummies of makes and shapes, which sum to one."""
    return numbers("modeldata", "car_prices", "Price")


def teachers() -> Rows:
    """How students like a course: 463 rows, 11 inputs, mostly noise."""
    return numbers("AER", "TeachingRatings", "eval")


def friedman(number: int, n_train: int, seed: int) -> Draw:
    """Friedman 1, 2 or 3 with noise in all targets."""
    X, y, _ = sources.friedman(number, n_train + N_TEST, seed)
    return Draw(X[:n_train], y[:n_train], X[n_train:], y[n_train:])


def messy_formula(X: np.ndarray) -> np.ndarray:
    """A curve, a product and a step of inputs in unequal units."""
    year, weight, count, switch = X[:, 1] - 2000.0, X[:, 2] / 1e6, X[:, 3], X[:, 4]
    return 100.0 + 3.0 * np.sin(year / 6.0) + 2.0 * weight * switch + np.sqrt(count)


def messy(n_train: int, seed: int) -> Draw:
    """A constant, years, a large unit, counts with a tail, a switch, two copies; heavy noise."""
    random = np.random.default_rng(seed)
    n = n_train + N_TEST
    year = random.integers(1990, 2026, n).astype(float)
    weight = 1e6 * random.normal(size=n)
    count = np.floor(random.lognormal(1.0, 1.0, n))
    switch = random.integers(0, 2, n).astype(float)
    small = 1e-9 * random.normal(size=n)
    X = np.column_stack([np.full(n, 7.0), year, weight, count, switch, small, year, 1.0 - switch])
    y = messy_formula(X) + 0.7 * random.standard_t(3.0, n)
    return Draw(X[:n_train], y[:n_train], X[n_train:], y[n_train:])


concrete = regressions.concrete
biomass = regressions.biomass
diabetes = regressions.diabetes
ozone = regressions.ozone
meats = regressions.meats
chemical_yield = regressions.chemical_yield
