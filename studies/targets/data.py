"""Real sets of counts and of ordered classes: (X, y), categories as columns of 0 and 1."""

from __future__ import annotations

import numpy as np

from studies.data.sources import r_table


def columns_and_target(frame, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers as they are, categories as columns, and the target of this name."""
    import pandas

    inputs = pandas.get_dummies(frame.drop(columns=name), drop_first=True)
    return inputs.to_numpy(float), frame[name].to_numpy(float)


def publications():
    """Articles of students of biochemistry: 915 rows, 5 inputs, mean 1.7."""
    return columns_and_target(r_table("AER", "PhDPublications"), "articles")


def trips():
    """Boating trips to a lake: 659 rows, 7 inputs, mean 2.2, and two in three are 0."""
    return columns_and_target(r_table("AER", "RecreationDemand"), "trips")


def economy():
    """How British voters saw the economy, from 1 to 5: 1525 rows, 8 inputs."""
    frame = r_table("carData", "BEPS").drop(columns="vote")
    return columns_and_target(frame, "economic.cond.national")


def marriages():
    """How happy marriages are, from 1 to 5: 601 rows, 8 inputs."""
    return columns_and_target(r_table("AER", "Affairs"), "rating")


def run_times():
    """Run times of jobs in four classes, from very fast to long: 4331 rows, 24 inputs."""
    frame = r_table("modeldata", "hpc_data")
    skewed = ["compounds", "input_fields", "iterations", "num_pending"]
    frame[skewed] = np.log1p(frame[skewed])
    frame["class"] = frame["class"].map({"VF": 1, "F": 2, "M": 3, "L": 4})
    return columns_and_target(frame, "class")
