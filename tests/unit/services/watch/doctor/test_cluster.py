"""What the doctor says of a cluster."""

import pytest

from services.watch.doctor.cluster import ClusterFacts, judge_cluster


@pytest.mark.parametrize(
    ("replicas", "waited_for", "code"),
    [
        ({"a": 1, "b": 1}, 1, "cluster.whole"),
        ({"a": 1, "b": 0}, 0, "cluster.lacks_replicas"),
        ({"a": 2, "b": 1}, 2, "cluster.lacks_replicas"),
        ({"a": 2, "b": 1}, 0, "cluster.not_waited_for"),
    ],
)
def test_a_cluster_must_be_able_to_lose_a_primary(replicas, waited_for, code):
    (found,) = judge_cluster(ClusterFacts(replicas, waited_for))
    assert found.code == code


def test_a_server_that_stands_alone_is_no_cluster():
    assert judge_cluster(None) == []
